import { ActivityInput, storeActivity } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { toSetActivityArgs } from '#daemon/src/events/providers/desktop/set-activity-args.ts'

const stored = (given: unknown) => {
  const outcome = storeActivity(ActivityInput().parse(given), { applicationId: '1', nowMs: Date.UTC(2025, 10, 21) })
  if (!('stored' in outcome) || outcome.stored === null) throw new Error('not stored')
  return outcome.stored
}

test('a stored activity becomes valid arguments of SET_ACTIVITY', () => {
  const given = {
    type: 2,
    name: 'Harbour',
    details: 'At sea',
    state: '',
    timestamps: { start: 1_700_000_000_000 },
    assets: { large_image: 'ship', small_text: null },
    party: { id: 'p', size: [1, 4], privacy: 1 },
    instance: true,
    status_display_type: 1,
    supported_platforms: ['desktop'],
    buttons: [
      { label: 'One', url: 'https://example.test/1' },
      { label: 'Two', url: 'https://example.test/2' },
    ],
    flags: 77,
    application_id: '9',
  }
  const { party, ...rest } = given
  const settable = toSetActivityArgs(stored({ ...rest, party: { ...party, id: 'pa' } }))
  expect(settable).toEqual({
    type: 2,
    name: 'Harbour',
    details: 'At sea',
    timestamps: { start: 1_700_000_000_000 },
    assets: { large_image: 'ship' },
    party: { id: 'pa', size: [1, 4], privacy: 1 },
    instance: true,
    status_display_type: 1,
    supported_platforms: ['desktop'],
    buttons: given.buttons,
  })
  expect(ActivityInput().safeParse(settable).success).toBe(true)
})

test('secrets are included, and a missing name stays missing', () => {
  expect(toSetActivityArgs(stored({ details: 'At sea', secrets: { join: 'join-me' } }))).toEqual({
    type: 0,
    details: 'At sea',
    secrets: { join: 'join-me' },
  })
})
