/** Platform changes on a day, voice connections, activity URLs, and the signed-in user. */
import { VERSIONS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const on = (...day: [number, number, number]) => Game.connected(testBridge({ clock: new FakeClock(Date.UTC(...day)) }))

const CONSOLES = [
  { console: 'A', system_sdk: '241000', since: '1.10.18247' },
  { console: 'B', system_sdk: '10.000', since: '1.10.18247' },
]

describe('GET_PLATFORM_CHANGES', () => {
  const held = (data: { changes: { id: string; holds: boolean }[] }) => data.changes.filter(({ holds }) => holds).map(({ id }) => id)

  test('returns for every change whether it is in effect, today or on a named day', { tags: ['9.2-2'] }, () => {
    const game = on(2026, 10, 16)
    const { data } = game.call('GET_PLATFORM_CHANGES')
    expect(data.date).toBe('2026-11-16')
    expect(data.changes.map(({ id }: { id: string }) => id)).toEqual(Object.keys(VERSIONS))
    expect(held(data)).toContain('hidden-channels-omitted')
    expect(held(game.call('GET_PLATFORM_CHANGES', { date: '2026-11-15' }).data)).not.toContain('hidden-channels-omitted')
    expect(held(game.call('GET_PLATFORM_CHANGES', { date: '2024-10-15' }).data)).toEqual(['entitlement-migration'])
  })
  test('returns the supported SDK versions, and the missing features of one', { tags: ['9.1-3', '9.1-2', '9.1-9'] }, () => {
    const game = on(2026, 6, 31)
    const named = { oldest: '1.6', newest: '1.10', release_months: [4, 7, 11] }
    expect(game.call('GET_PLATFORM_CHANGES').data.sdk).toEqual({ ...named, support: null, lacks: null, consoles: CONSOLES })
    expect(game.call('GET_PLATFORM_CHANGES', { date: '2026-11-22' }).data.sdk).toMatchObject(named)
    expect(game.call('GET_PLATFORM_CHANGES', { sdk_version: '1.5.9' }).data.sdk).toMatchObject({
      support: 'ended',
      lacks: expect.arrayContaining(['GetUserMessagesWithLimit uses a cache.']),
    })
    expect(game.call('GET_PLATFORM_CHANGES', { sdk_version: 'dockside/1' }).data.sdk).toMatchObject({ support: 'unknown', lacks: null })
    expect(game.call('GET_PLATFORM_CHANGES', { sdk_version: '1.10.18247' }).data.sdk).toMatchObject({
      lacks: [expect.stringContaining('VoiceSettings'), expect.stringContaining('iOS'), expect.stringContaining('C#')],
      consoles: CONSOLES,
    })
    expect(game.call('GET_PLATFORM_CHANGES', { sdk_version: '1.9.18337' }).data.sdk).toMatchObject({ consoles: [] })
    expect(game.call('GET_PLATFORM_CHANGES', { date: '2025-01-01' }).data.sdk).toMatchObject({ oldest: null, newest: null })
  })
  test('contains the earlier notice of a postponed change', { tags: ['9.2-4'] }, () => {
    const { changes } = on(2026, 6, 31).call('GET_PLATFORM_CHANGES').data
    const pins = changes.find(({ id }: { id: string }) => id === 'pin-needs-own-permission')
    expect(pins).toMatchObject({ since: '2026-02-23', announced: '2026-01-12' })
    expect(changes.find(({ id }: { id: string }) => id === 'hidden-channels-omitted')).toMatchObject({ announced: null })
  })
  test.each(['2026-02-30', '2026-13-01', 'soon', '2026-1-1'])('refuses the day %s', (date) => {
    expect(on(2026, 0, 1).call('GET_PLATFORM_CHANGES', { date })).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'date' } })
  })
})

describe('CHECK_VOICE_CONNECTION', () => {
  test('returns the allowed modes', { tags: ['9.2-14', '9.2-16'] }, () => {
    const args = { gateway_version: 8, mode: 'aead_aes256_gcm_rtpsize', end_to_end_encrypted: true }
    expect(on(2026, 10, 1).call('CHECK_VOICE_CONNECTION', args).data).toEqual({
      modes: ['aead_aes256_gcm_rtpsize', 'aead_xchacha20_poly1305_rtpsize'],
      buffered_resume: true,
    })
    expect(on(2026, 10, 1).call('CHECK_VOICE_CONNECTION', { gateway_version: 4 }).data).toMatchObject({ buffered_resume: false })
  })
  test.each([
    [{}, 'gateway_version', '2024-11-18'],
    [{ gateway_version: 3 }, 'gateway_version', '2024-11-18'],
    [{ gateway_version: 8, mode: 'xsalsa20_poly1305_lite' }, 'mode', '2024-11-18'],
    [{ gateway_version: 8, mode: 'aead_aes256_gcm' }, 'mode', '2024-11-18'],
    [{ gateway_version: 8, end_to_end_encrypted: false }, 'end_to_end_encrypted', '2026-03-01'],
  ])('rejects %j with its date', { tags: ['9.2-9', '9.2-13', '9.2-15'] }, (args, path, since) => {
    expect(on(2026, 10, 1).call('CHECK_VOICE_CONNECTION', args)).toMatchObject({
      evt: 'ERROR',
      data: { code: 4000, path, message: expect.stringContaining(since) },
    })
    expect(on(2024, 10, 17).call('CHECK_VOICE_CONNECTION', args)).toMatchObject({ evt: null })
  })
})

describe('MAP_ACTIVITY_URL', () => {
  const mappings = [{ prefix: '/api', target: 'game.example' }]
  const map = (args: object) => on(2026, 0, 1).call('MAP_ACTIVITY_URL', { url: 'https://game.example/me', mappings, ...args })

  test('maps to the proxy of this application on this platform', { tags: ['9.2-19', '9.2-21'] }, () => {
    expect(map({}).data).toEqual({ url: 'https://1234567890.activities.example.test/api/me', is_mapped: true })
    expect(map({ embedded_sdk_version: '2.1.0' }).data.url).toBe('https://1234567890.activities.example.test/.proxy/api/me')
    expect(map({ application_id: '7' }).data.url).toBe('https://7.activities.example.test/api/me')
  })
  test('keeps an address without a mapping, and rejects an invalid address', () => {
    expect(map({ mappings: [] }).data).toEqual({ url: 'https://game.example/me', is_mapped: false })
    expect(map({ url: '/me' })).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'url' } })
  })
})

describe('GET_CURRENT_USER_V2', () => {
  const USER = { id: '80351110224678912', username: 'ann', discriminator: '0', avatar: null, premium_type: 2 }

  test('is null without a signed-in user, and sends no request', { tags: ['4.3-23', '9.1-28'] }, () => {
    const bridge = testBridge()
    expect(Game.connected(bridge).call('GET_CURRENT_USER_V2')).toMatchObject({ evt: null, data: null })
    expect(bridge.platform.calls).toEqual([])
  })
  test('is the user after sign-in', { tags: ['4.3-23'] }, async () => {
    const bridge = testBridge()
    bridge.platform.replies.set('GET_CURRENT_USER', () => USER)
    const game = Game.connected(bridge)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    expect((await game.ask('GET_CURRENT_USER_V2')).data).toEqual({ ...USER, premium_type: 0 })
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'identify.premium']) })
    expect((await game.ask('GET_CURRENT_USER_V2')).data).toEqual(USER)
  })
})
