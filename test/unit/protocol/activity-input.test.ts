/** Input of SET_ACTIVITY: both sides of every limit, and all forms of empty values. */
import { ACTIVITY_PLATFORMS, COMMANDS, parserOf } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const compiled = parserOf(() => COMMANDS.SET_ACTIVITY.args)

/** Whether the input is accepted; the schema and its compiled form must agree. */
function accepts(activity: unknown): boolean {
  const { success } = COMMANDS.SET_ACTIVITY.args.safeParse({ pid: 1, activity })
  expect(compiled({ pid: 1, activity }).success).toBe(success)
  return success
}
const button = { label: 'Go', url: 'https://example.com' }
const chars = (count: number): string => 'x'.repeat(count)
const url = (count: number): string => `https://example.com/${'x'.repeat(count - 20)}`

/** Texts and URLs of an activity: path, minimum and maximum length. */
const TEXTS: [string, (text: unknown) => unknown, number, number][] = [
  ['name', (name) => ({ name }), 1, 128],
  ['details', (details) => ({ details }), 2, 128],
  ['state', (state) => ({ state }), 2, 128],
  ['assets.large_text', (large_text) => ({ assets: { large_text } }), 2, 128],
  ['assets.small_text', (small_text) => ({ assets: { small_text } }), 2, 128],
  ['assets.large_image', (large_image) => ({ assets: { large_image } }), 1, 300],
  ['assets.small_image', (small_image) => ({ assets: { small_image } }), 1, 300],
  ['assets.invite_cover_image', (invite_cover_image) => ({ assets: { invite_cover_image } }), 1, 300],
  ['assets.inviteCoverImage', (inviteCoverImage) => ({ assets: { inviteCoverImage } }), 1, 300],
  ['party.id', (id) => ({ party: { id } }), 2, 128],
  ['secrets.join', (join) => ({ secrets: { join } }), 2, 128],
  ['secrets.spectate', (spectate) => ({ secrets: { spectate } }), 1, 128],
  ['secrets.match', (match) => ({ secrets: { match } }), 1, 128],
]

const LINKS: [string, (link: unknown) => unknown, number][] = [
  ['details_url', (details_url) => ({ details_url }), 256],
  ['state_url', (state_url) => ({ state_url }), 256],
  ['assets.large_url', (large_url) => ({ assets: { large_url } }), 256],
  ['assets.small_url', (small_url) => ({ assets: { small_url } }), 256],
  ['buttons[].url', (link) => ({ buttons: [{ label: 'Go', url: link }] }), 512],
]

describe('texts', () => {
  it.each(TEXTS)('%s has a minimum and maximum length in characters', (_name, activity, least, greatest) => {
    expect([accepts(activity(chars(least))), accepts(activity(chars(greatest))), accepts(activity('日'.repeat(greatest)))]).toEqual([
      true,
      true,
      true,
    ])
    expect(accepts(activity(chars(greatest + 1)))).toBe(false)
    if (least > 1) expect(accepts(activity(chars(least - 1)))).toBe(false)
  })

  it.each(TEXTS)('%s accepts null and empty text as absent, but no number', (_name, activity) => {
    expect([accepts(activity(null)), accepts(activity('')), accepts(activity(undefined))]).toEqual([true, true, true])
    expect([accepts(activity(5)), accepts(activity(['xx']))]).toEqual([false, false])
  })

  it('accept line breaks and all scripts', () => {
    expect([accepts({ details: '\n\n' }), accepts({ state: '🎮🎮' }), accepts({ state: 'ок' })]).toEqual([true, true, true])
  })
})

describe('URLs', () => {
  it.each(LINKS)(
    '%s is an http or https URL with a maximum length',
    { tags: ['2.2-47', '2.2-48', '9.2-20'] },
    (_name, activity, greatest) => {
      expect([accepts(activity(url(greatest))), accepts(activity('http://a')), accepts(activity('HTTPS://Example.com?x'))]).toEqual([
        true,
        true,
        true,
      ])
      expect(accepts(activity(url(greatest + 1)))).toBe(false)
      for (const bad of [
        'javascript:alert(1)',
        'data:text/html,x',
        'file:///etc/passwd',
        'ftp://example.com',
        'https://',
        'http:///x',
        'example.com',
        'https://a b',
      ])
        expect(accepts(activity(bad)), bad).toBe(false)
    },
  )

  it('accept an asset key or an http or https URL for images', () => {
    const image = (large_image: string) => accepts({ assets: { large_image } })
    for (const good of ['castle_2', '1234567890', 'https://example.com/a.png', 'mp:external/abc/https/example.com/a.png'])
      expect(image(good), good).toBe(true)
    for (const bad of ['javascript:alert(1)', ' javascript:alert(1)', 'data:image/png;base64,AA', 'file:///x', 'https://'])
      expect(image(bad), bad).toBe(false)
  })
})

describe('types and choices', () => {
  it('accepts playing, listening, watching and competing, and rejects other types', { tags: ['9.1-27'] }, () => {
    for (const type of [0, 2, 3, 5, 5.0, undefined, null]) expect(accepts({ type, state: 'ok' }), String(type)).toBe(true)
    for (const type of [1, 4, 6, -1, 0.5, '0']) expect(accepts({ type, state: 'ok' }), String(type)).toBe(false)
  })

  it('limits status_display_type, party.privacy and instance', () => {
    for (const value of [0, 1, 2, null]) expect(accepts({ status_display_type: value })).toBe(true)
    expect(accepts({ status_display_type: 3 })).toBe(false)
    for (const privacy of [0, 1, null]) expect(accepts({ party: { privacy } })).toBe(true)
    expect(accepts({ party: { privacy: 2 } })).toBe(false)
    expect([accepts({ instance: true }), accepts({ instance: null }), accepts({ instance: 1 })]).toEqual([true, true, false])
  })

  it('accepts up to ten known platforms', () => {
    const ten = [...ACTIVITY_PLATFORMS, 'desktop']
    expect(ten.length).toBe(10)
    expect([accepts({ supported_platforms: ten }), accepts({ supported_platforms: [] }), accepts({ supported_platforms: null })]).toEqual([
      true,
      true,
      true,
    ])
    expect([accepts({ supported_platforms: [...ten, 'ios'] }), accepts({ supported_platforms: ['fridge'] })]).toEqual([false, false])
  })
})

describe('times, party and buttons', () => {
  it('accepts times from 0, in s or ms, with fractions and as text', () => {
    for (const start of [0, 1_700_000_000, 1_700_000_000_000, 1_700_000_000.123, '1700000000', '1700000000.123', '', null])
      expect(accepts({ timestamps: { start, end: start } })).toBe(true)
    for (const start of [-1, '-1', 'soon', '1e9', ' 1', '1'.repeat(16), true, 1e300])
      expect(accepts({ timestamps: { start } }), String(start)).toBe(false)
    expect([accepts({ timestamps: {} }), accepts({ timestamps: null }), accepts({ timestamps: 5 })]).toEqual([true, true, false])
  })

  it('accepts exactly two whole party sizes, the first from 0 and the second from 1', () => {
    for (const size of [[1, 1], [5, 4], [0, 5], [1.0, 8.0], ['1', '4'], null])
      expect(accepts({ party: { id: 'p1', size } }), JSON.stringify(size)).toBe(true)
    for (const size of [[-1, 1], [1, 0], ['1', '0'], [1], [1, 2, 3], [], [1, 1.5], ['1.5', 2], ['', 2], {}])
      expect(accepts({ party: { id: 'p1', size } }), JSON.stringify(size)).toBe(false)
  })

  it('accepts up to two buttons with a label of 1 to 32 characters', () => {
    for (const buttons of [[button], [button, button], [], null]) expect(accepts({ buttons })).toBe(true)
    for (const buttons of [
      [button, button, button],
      'x',
      [null],
      [{ label: 'Go' }],
      [{ url: button.url }],
      [{ ...button, label: '' }],
      [{ ...button, label: chars(33) }],
      [{ ...button, url: '' }],
    ])
      expect(accepts({ buttons }), JSON.stringify(buttons)).toBe(false)
    expect(accepts({ buttons: [{ ...button, label: chars(32) }] })).toBe(true)
  })
})

describe('the activity argument', () => {
  it('can be absent, null or empty, and so can its fields', () => {
    for (const activity of [
      undefined,
      null,
      {},
      { assets: {}, party: {}, secrets: {}, timestamps: {} },
      { assets: null, party: null, secrets: null, timestamps: null },
    ])
      expect(accepts(activity), JSON.stringify(activity)).toBe(true)
    for (const activity of ['x', 5, [], true]) expect(accepts(activity)).toBe(false)
  })

  it('drops computed and unknown fields, at any place', () => {
    const computed = {
      flags: 1,
      url: 'x',
      emoji: {},
      application_id: 5,
      created_at: 'now',
      id: 'custom',
      session_id: null,
      sync_id: '',
      metadata: { a: 1 },
    }
    const parsed = (activity: unknown) => parserOf(() => COMMANDS.SET_ACTIVITY.args)({ pid: 1, activity, other: 1 }).data
    expect(parsed({ state: 'ok', platform: 'desktop', ...computed })).toEqual({ pid: 1, activity: { state: 'ok' } })
    for (const part of ['assets', 'party', 'secrets', 'timestamps'])
      expect(parsed({ [part]: { unknown: 1 } }), part).toEqual({ pid: 1, activity: { [part]: {} } })
    expect(parsed({ buttons: [{ ...button, extra: 1 }] })).toEqual({ pid: 1, activity: { buttons: [button] } })
    const inherited = parsed(JSON.parse('{"__proto__":{"state":"ok"}}'))?.activity ?? {}
    expect([Object.keys(inherited), 'state' in inherited]).toEqual([[], false])
  })

  it('accepts a whole number as process id, and none from a page', () => {
    const call = (args: unknown) => COMMANDS.SET_ACTIVITY.args.safeParse(args).success
    expect([call({ pid: 0 }), call({ pid: 4_294_967_295 }), call({ pid: 7.0, activity: null }), call({})]).toEqual([true, true, true, true])
    for (const args of [undefined, null, { pid: -1 }, { pid: 4_294_967_296 }, { pid: '7' }, { pid: 1.5 }])
      expect(call(args), JSON.stringify(args)).toBe(false)
  })
})
