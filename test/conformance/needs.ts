/** What a vector needs besides a socket, derived from what it contains. A vector that needs at most a user is portable. */
import { FAKE_VALUES } from '#test/support/tokens.ts'
import type { Vector } from '#test/support/vectors.ts'

export const NEEDS = {
  bot: 'a bot token',
  platform: 'the fake HTTP platform of the tests',
  fakes: 'the fake sign-in of the tests',
  user: 'a signed-in user',
} as const
export type Need = keyof typeof NEEDS

const USES: Readonly<Record<Need, (vector: Vector) => boolean>> = {
  bot: ({ bot }) => bot,
  platform: ({ platform, requests }) => Object.keys(platform).length > 0 || requests.length > 0,
  fakes: ({ steps }) => FAKE_VALUES.some((value) => JSON.stringify(steps).includes(value)),
  user: ({ steps }) => steps.some((step) => 'signIn' in step),
}

export const needsOf = (vector: Vector): readonly Need[] => (Object.keys(NEEDS) as readonly Need[]).filter((need) => USES[need](vector))
