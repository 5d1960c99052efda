/** Stored activities: rules between fields, time units, and the returned activity. */
import { ACTIVITY_FLAGS, Activity, ActivityInput, storeActivity } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const NOW_MS = 1_795_000_000_000
const store = (activity: unknown, applicationName?: string) =>
  storeActivity(ActivityInput().nullish().parse(activity), {
    applicationId: '42',
    nowMs: NOW_MS,
    applicationName: () => applicationName,
  })

function answer(activity: unknown, applicationName?: string) {
  const outcome = store(activity, applicationName)
  if ('error' in outcome || outcome.stored === null) throw new Error(`not stored: ${JSON.stringify(outcome)}`)
  return outcome.stored
}

const BUTTONS = [
  { label: 'Site', url: 'https://example.com/' },
  { label: 'Shop', url: 'http://example.com/shop' },
]

describe('clearing', () => {
  it.each([
    [undefined],
    [null],
    [{}],
    [
      {
        details: '',
        state: null,
        assets: {},
        party: { id: '' },
        secrets: { join: '' },
        timestamps: { start: null },
        buttons: [],
        supported_platforms: [],
        flags: 1,
      },
    ],
  ])('is the result of %j', (activity) => {
    expect(store(activity)).toEqual({ stored: null })
  })

  it('is not the result of a non-empty activity', () => {
    for (const activity of [{ type: 0 }, { instance: false }, { state: 'ok' }, { timestamps: { start: 1 } }, { secrets: { join: 'abc' } }])
      expect(store(activity)).toMatchObject({ stored: { activity: { application_id: '42' } } })
  })
})

describe('secrets', () => {
  it('cannot be combined with buttons, unless one of them is empty', () => {
    expect(store({ secrets: { join: 'abc' }, buttons: BUTTONS })).toMatchObject({
      error: 'INVALID_ACTIVITY_SECRET',
      path: 'activity.secrets',
    })
    expect(store({ secrets: {}, buttons: BUTTONS })).toHaveProperty('stored.activity.buttons')
    expect(store({ secrets: { join: '', match: null }, buttons: BUTTONS })).toHaveProperty('stored.activity.buttons')
    expect(store({ secrets: { join: 'abc' }, buttons: [] })).toHaveProperty('stored.secrets', { join: 'abc' })
  })

  it('must differ from each other', () => {
    expect(store({ secrets: { join: 'abc', spectate: 'abc' } })).toMatchObject({
      error: 'INVALID_ACTIVITY_SECRET',
      path: 'activity.secrets.spectate',
    })
    expect(store({ secrets: { join: 'abc', match: 'abc' } })).toMatchObject({
      error: 'INVALID_ACTIVITY_SECRET',
      path: 'activity.secrets.match',
    })
    expect(store({ secrets: { join: 'abc', spectate: 'abd', match: 'abe' } })).toHaveProperty('stored.activity')
    expect(store({ secrets: { join: '', spectate: '' }, state: 'ok' })).toHaveProperty('stored.activity')
  })

  it('must differ from the party id', () => {
    expect(store({ party: { id: 'abc' }, secrets: { join: 'abc' } })).toMatchObject({
      error: 'INVALID_ACTIVITY_SECRET',
      path: 'activity.secrets.join',
    })
    expect(store({ party: { id: 'abc' }, secrets: { join: 'abcd' } })).toHaveProperty('stored.activity')
  })

  it('are stored, but not in the response or an error', () => {
    const stored = answer({ party: { id: 'party' }, secrets: { join: 'hush-hush', match: '' } })
    expect(stored.secrets).toEqual({ join: 'hush-hush' })
    expect(JSON.stringify(stored.activity)).not.toContain('hush')
    expect(JSON.stringify(store({ secrets: { join: 'hush-hush', spectate: 'hush-hush' } }))).not.toContain('hush')
    expect(JSON.stringify(store({ secrets: { join: 'hush-hush' }, buttons: BUTTONS }))).not.toContain('hush')
  })
})

describe('times', () => {
  it.each([
    ['seconds', 1_795_000_000, 1_795_000_000_000],
    ['seconds long ago', 999_999_999, 999_999_999_000],
    ['ten digits at most', 9_999_999_999, 9_999_999_999_000],
    ['eleven digits are ms', 10_000_000_000, 10_000_000_000],
    ['ms', 1_795_000_000_123, 1_795_000_000_123],
    ['whole floats', 1_795_000_000.0, 1_795_000_000_000],
    ['zero', 0, 0],
    ['seconds with a fraction', 1_795_000_000.125, 1_795_000_000_125],
    ['ms with a fraction', 1_795_000_000_123.9, 1_795_000_000_123],
    ['text', '1795000000', 1_795_000_000_000],
    ['text with a fraction', '1795000000.5', 1_795_000_000_500],
  ])('%s', (_name, sent, stored) => {
    expect(answer({ timestamps: { start: sent, end: sent } }).activity.timestamps).toEqual({ start: stored, end: stored })
  })

  it('omits an empty time, and does not change the input', () => {
    const input = ActivityInput().parse({ timestamps: { start: 1_795_000_000, end: null } })
    const outcome = storeActivity(input, { applicationId: '42', nowMs: NOW_MS })
    expect(outcome).toHaveProperty('stored.activity.timestamps', { start: 1_795_000_000_000 })
    expect(input.timestamps).toEqual({ start: 1_795_000_000, end: null })
  })
})

describe('the returned activity', () => {
  it('has numbers where the game sent text', () => {
    expect(answer({ party: { id: 'party', size: ['0', '4'] } }).activity.party).toEqual({ id: 'party', size: [0, 4] })
  })

  it('contains all sent fields', { tags: ['2.2-47', '2.2-48', '2.2-49'] }, () => {
    const sent = {
      name: 'Dockside',
      type: 3,
      details: 'On the pier',
      details_url: 'https://example.com/pier',
      state: 'Waiting',
      state_url: 'https://example.com/wait',
      assets: {
        large_image: 'pier',
        large_text: 'The pier',
        large_url: 'https://example.com/l',
        small_image: 'gull',
        small_text: 'A gull',
        small_url: 'https://example.com/s',
        invite_cover_image: 'cover',
      },
      party: { id: 'party', size: [2, 4], privacy: 1 },
      instance: true,
      status_display_type: 2,
      supported_platforms: ['desktop', 'ios'],
    }
    expect(answer(sent).activity).toEqual({ ...sent, application_id: '42', flags: ACTIVITY_FLAGS.INSTANCE })
  })

  it('turns buttons into labels and keeps their URLs in metadata', () => {
    expect(answer({ buttons: BUTTONS }).activity).toMatchObject({
      buttons: ['Site', 'Shop'],
      metadata: { button_urls: ['https://example.com/', 'http://example.com/shop'] },
    })
  })

  it('has type 0 and the registered name by default', { tags: ['2.2-51'] }, () => {
    expect(answer({ state: 'ok' }, 'Registered').activity).toMatchObject({ type: 0, name: 'Registered' })
    expect(answer({ state: 'ok', name: 'Mine' }, 'Registered').activity.name).toBe('Mine')
    expect(answer({ state: 'ok', name: '' }).activity.name).toBe('')
  })

  it('computes flags and ignores sent flags', () => {
    const flags = (activity: object) => answer({ state: 'ok', flags: 255, application_id: '1', ...activity }).activity.flags
    expect(flags({})).toBe(0)
    expect(flags({ instance: true })).toBe(1)
    expect(flags({ secrets: { join: 'abc' } })).toBe(2)
    expect(flags({ instance: true, secrets: { join: 'abc', spectate: 'abd' } })).toBe(7)
    expect(answer({ state: 'ok', application_id: '1' }).activity.application_id).toBe('42')
  })

  it('omits empty fields and matches its schema', () => {
    const { activity } = answer({
      details: '',
      state: 'ok',
      assets: { large_image: '', large_text: null },
      party: { id: null },
      instance: null,
      status_display_type: null,
    })
    expect(Object.keys(activity).toSorted()).toEqual(['application_id', 'flags', 'name', 'state', 'type'])
    expect(Activity().safeParse(activity).success).toBe(true)
  })
})

it('the cover of an invite may have the name of the specification', { tags: ['2.2-49'] }, () => {
  const cover = (assets: object) => {
    const outcome = storeActivity({ assets }, { applicationId: '1', nowMs: 1 })
    return 'stored' in outcome ? outcome.stored?.activity.assets : outcome
  }
  expect(cover({ inviteCoverImage: 'dock' })).toEqual({ invite_cover_image: 'dock' })
  expect(cover({ inviteCoverImage: 'dock', invite_cover_image: 'pier' })).toEqual({ invite_cover_image: 'pier' })
})
