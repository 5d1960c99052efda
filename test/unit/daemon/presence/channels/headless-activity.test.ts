import { COMMANDS, parserOf, storeActivity } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { headlessActivity } from '../../../../../daemon/src/presence/channels/headless-activity.ts'
import { validate } from '../../../../../daemon/src/rpc/validate.ts'

const ID = '1234567890'
const parse = parserOf(COMMANDS.CREATE_HEADLESS_SESSION.args)

/** What the platform is told; the row takes it, or this throws. */
function told(input: object): unknown {
  const outcome = storeActivity(input, { applicationId: ID, nowMs: 1_700_000_000_000 })
  if ('error' in outcome || outcome.stored === null) throw new Error('nothing is stored')
  const activity = headlessActivity(outcome.stored, ID, 'Dockside')
  validate(parse, { activities: [activity] })
  return JSON.parse(JSON.stringify(activity))
}

test('everything that a game can set and the platform takes goes over, the join secret with its party', () =>
  expect(
    told({
      name: 'Harbour',
      type: 2,
      details: 'Mending nets',
      details_url: 'https://example.test/nets',
      state: 'At the pier',
      timestamps: { start: 1_700_000_000 },
      assets: { large_image: 'pier', large_text: 'The pier', invite_cover_image: 'cover' },
      party: { id: 'crew-1', size: [1, 4], privacy: 1 },
      secrets: { join: 'come-aboard' },
      instance: true,
    }),
  ).toEqual({
    name: 'Harbour',
    type: 2,
    application_id: ID,
    platform: 'desktop',
    details: 'Mending nets',
    details_url: 'https://example.test/nets',
    state: 'At the pier',
    timestamps: { start: 1_700_000_000_000 },
    assets: { large_image: 'pier', large_text: 'The pier' },
    party: { id: 'crew-1', size: [1, 4] },
    secrets: { join: 'come-aboard' },
    flags: 3,
  }))

test('what it has no field for is left out: buttons, a party without a name, secrets that nothing is joined by', () => {
  expect(told({ details: 'x y', buttons: [{ label: 'Site', url: 'https://example.test' }] })).not.toHaveProperty('buttons')
  expect(told({ details: 'x y', party: { size: [1, 2] } })).not.toHaveProperty('party')
  expect(told({ details: 'x y', secrets: { match: 'abc' } })).not.toHaveProperty('secrets')
})

test('an activity without a name that can be shown has the one of the application', () => {
  expect(told({ details: 'x y' })).toMatchObject({ name: 'Dockside' })
  expect(told({ name: 'X' })).toMatchObject({ name: 'Dockside' })
})
