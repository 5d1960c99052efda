import { expect, test } from 'vitest'
import { ActivityInput, NUMBER_SETS } from '@sallyport/protocol'

const accepts = (activity: object): boolean => ActivityInput().safeParse(activity).success

/** Numbers from 0 to 9 that the field takes. */
const takenBy = (activityOf: (number: number) => object): readonly number[] =>
  Array.from({ length: 10 }, (_, number) => number).filter((number) => accepts(activityOf(number)))

test.for([
  ['ActivityType', (type: number) => ({ type })],
  ['StatusDisplayType', (type: number) => ({ status_display_type: type })],
  ['PartyPrivacy', (privacy: number) => ({ party: { id: 'pier', privacy } })],
] as const)('%s names the numbers that an activity takes', ([name, activityOf]) => {
  expect(Object.values(NUMBER_SETS[name].numbers)).toEqual(takenBy(activityOf))
})
