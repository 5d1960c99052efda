import { COMMANDS, parserOf, storeActivity } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { headlessActivity } from '#daemon/src/presence/channels/headless-activity.ts'
import { validate } from '#daemon/src/rpc/validate.ts'

const ID = '1234567890'
const parse = parserOf(() => COMMANDS.CREATE_HEADLESS_SESSION.args)

/** The converted activity. Throws if the endpoint row rejects it. */
function converted(input: object): unknown {
  const outcome = storeActivity(input, { applicationId: ID, nowMs: 1_700_000_000_000 })
  if ('error' in outcome || outcome.stored === null) throw new Error('nothing is stored')
  const activity = headlessActivity(outcome.stored, ID, 'Dockside')
  validate(parse, { activities: [activity] })
  return JSON.parse(JSON.stringify(activity))
}

test(
  'all fields that a game can set and the platform accepts are copied, the join secret with its party',
  { tags: ['2.2-47', '2.2-48', '2.2-49'] },
  () =>
    expect(
      converted({
        name: 'Harbour',
        type: 2,
        details: 'Mending nets',
        details_url: 'https://example.test/nets',
        state: 'At the pier',
        state_url: 'https://example.test/pier',
        timestamps: { start: 1_700_000_000 },
        assets: {
          large_image: 'pier',
          large_text: 'The pier',
          large_url: 'https://example.test/large',
          small_image: 'gull',
          small_url: 'https://example.test/small',
          invite_cover_image: 'cover',
        },
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
      state_url: 'https://example.test/pier',
      timestamps: { start: 1_700_000_000_000 },
      assets: {
        large_image: 'pier',
        large_text: 'The pier',
        large_url: 'https://example.test/large',
        small_image: 'gull',
        small_url: 'https://example.test/small',
        invite_cover_image: 'cover',
      },
      party: { id: 'crew-1', size: [1, 4] },
      secrets: { join: 'come-aboard' },
      flags: 3,
    }),
)

test('unsupported fields are dropped: buttons, a party without an id, other secrets', () => {
  expect(converted({ details: 'x y', buttons: [{ label: 'Site', url: 'https://example.test' }] })).not.toHaveProperty('buttons')
  expect(converted({ details: 'x y', party: { size: [1, 2] } })).not.toHaveProperty('party')
  expect(converted({ details: 'x y', secrets: { match: 'abc' } })).not.toHaveProperty('secrets')
})

test('an activity without a valid name gets the name of the application', () => {
  expect(converted({ details: 'x y' })).toMatchObject({ name: 'Dockside' })
  expect(converted({ name: 'X' })).toMatchObject({ name: 'Dockside' })
})
