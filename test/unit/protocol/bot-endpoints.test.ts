/** Limits of bot rows: members, prunes, emoji, sounds, SKUs, the application; and the audit log reason. */
import { type EndpointRow, ENDPOINTS, LIMITED_INTENT_FLAGS, LIMITS, parserOf } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { defineEndpoint } from '#protocol/src/endpoints/define.ts'
import { z } from 'zod'

const accepts = (row: EndpointRow, args: unknown): boolean => parserOf(() => row.args)(args).success
const verdicts = (row: EndpointRow, base: object, changes: readonly object[]) =>
  changes.map((change) => accepts(row, { ...base, ...change }))
const uri = (type: string, bytes: number) => `data:${type};base64,${Buffer.alloc(bytes).toString('base64')}`

it('emoji of an application need a bot token', { tags: ['4.1-rules-22'] }, () => {
  const rows = [
    ENDPOINTS.LIST_APPLICATION_EMOJIS,
    ENDPOINTS.GET_APPLICATION_EMOJI,
    ENDPOINTS.CREATE_APPLICATION_EMOJI,
    ENDPOINTS.MODIFY_APPLICATION_EMOJI,
    ENDPOINTS.DELETE_APPLICATION_EMOJI,
  ]
  expect(rows.map(({ auth }) => auth)).toEqual(['bot', 'bot', 'bot', 'bot', 'bot'])
})

describe('the audit log reason', () => {
  const audited = Object.values<EndpointRow>(ENDPOINTS).filter((row) => row.audited)

  it('is an argument of exactly the audited rows, and not part of path, query or body', () => {
    expect(audited.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN_GUILD_PRUNE', 'CREATE_GUILD_SOUNDBOARD_SOUND', 'MODIFY_CURRENT_MEMBER', 'SET_VOICE_CHANNEL_STATUS']),
    )
    for (const row of Object.values<EndpointRow>(ENDPOINTS)) {
      const { shape } = row.args as z.ZodObject
      expect(Object.hasOwn(shape, 'audit_log_reason'), row.name).toBe(row.audited)
      expect(row.reasonArgument, row.name).toBe(row.audited ? 'audit_log_reason' : undefined)
      expect([...row.pathParameters, ...row.queryParameters]).not.toContain('audit_log_reason')
    }
  })

  it('has 1 to 512 characters, or is absent', () => {
    const status = { channel_id: '1', status: null }
    const reasons = [undefined, 'x', 'x'.repeat(512), '', 'x'.repeat(513), 5].map((audit_log_reason) => ({ audit_log_reason }))
    expect(verdicts(ENDPOINTS.SET_VOICE_CHANNEL_STATUS, status, reasons)).toEqual([true, true, true, false, false, false])
  })

  it('is added by `audited` of a row', () => {
    const sample = {
      name: 'SAMPLE',
      summary: 'A sample.',
      method: 'DELETE',
      path: '/things',
      params: () => ({}),
      response: () => z.null(),
      auth: 'bot',
    } as const
    const rest = { requires: [[]], idempotency: 'natural', provenance: 'sallyport' } as const
    expect(accepts(defineEndpoint({ ...sample, ...rest, audited: true }), { audit_log_reason: 'x' })).toBe(true)
    expect(accepts(defineEndpoint({ ...sample, ...rest }), { audit_log_reason: 'x' })).toBe(false)
  })
})

describe('members', () => {
  it('have limited nicknames and bios, and images as data URIs; null clears', { tags: ['4.1-rules-9'] }, () => {
    const changes = [{ nick: 'x'.repeat(32) }, { nick: null }, { bio: 'x'.repeat(190) }, { banner: uri('image/png', 9) }, { avatar: null }]
    expect(verdicts(ENDPOINTS.MODIFY_CURRENT_MEMBER, { guild_id: '1' }, changes)).toEqual(changes.map(() => true))
    const wrong = [{ nick: 'x'.repeat(33) }, { bio: 'x'.repeat(191) }, { banner: 'a.png' }, { avatar: uri('image/svg+xml', 9) }]
    expect(verdicts(ENDPOINTS.MODIFY_CURRENT_MEMBER, { guild_id: '1' }, wrong)).toEqual(wrong.map(() => false))
  })

  it('are pruned after 1 to 30 days, with at most 100 roles, with both permissions', { tags: ['4.1-rules-10'] }, () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => String(index))
    for (const row of [ENDPOINTS.GET_GUILD_PRUNE_COUNT, ENDPOINTS.BEGIN_GUILD_PRUNE]) {
      expect(row.permissions).toEqual(['KICK_MEMBERS', 'MANAGE_GUILD'])
      expect(verdicts(row, { guild_id: '1' }, [{}, { days: 1 }, { days: 30 }, { days: 0 }, { days: 31 }])).toEqual([
        true,
        true,
        true,
        false,
        false,
      ])
    }
    const listed = [many(100).join(','), many(101).join(','), '1,', ''].map((include_roles) => ({ include_roles }))
    expect(verdicts(ENDPOINTS.GET_GUILD_PRUNE_COUNT, { guild_id: '1' }, listed)).toEqual([true, false, false, false])
    const arrays = [many(100), many(101), ['x']].map((include_roles) => ({ include_roles }))
    expect(verdicts(ENDPOINTS.BEGIN_GUILD_PRUNE, { guild_id: '1' }, arrays)).toEqual([true, false, false])
  })
})

describe('emoji and sounds', () => {
  it('have names of 2 to 32 characters', () => {
    const names = ['ab', 'x'.repeat(32), 'a', 'x'.repeat(33)].map((name) => ({ name }))
    const emoji = { application_id: '1', emoji_id: '2' }
    expect(verdicts(ENDPOINTS.MODIFY_APPLICATION_EMOJI, emoji, names)).toEqual([true, true, false, false])
    expect(verdicts(ENDPOINTS.MODIFY_GUILD_SOUNDBOARD_SOUND, { guild_id: '1', sound_id: '2' }, names)).toEqual([true, true, false, false])
  })

  it('have at most 256 KiB and 512 KiB decoded, with any padding', () => {
    const emoji = { application_id: '1', name: 'anchor' }
    for (const short of [0, 1, 2]) {
      const fits = uri('image/png', LIMITS.emojiImageBytes.value - short)
      expect(accepts(ENDPOINTS.CREATE_APPLICATION_EMOJI, { ...emoji, image: fits })).toBe(true)
    }
    const tooBig = ENDPOINTS.CREATE_APPLICATION_EMOJI.args.safeParse({
      ...emoji,
      image: uri('image/png', LIMITS.emojiImageBytes.value + 1),
    })
    expect(tooBig.error?.issues[0]).toMatchObject({ path: ['image'], message: 'has 262145 bytes; at most 262144 are allowed' })
    const sound = { guild_id: '1', name: 'foghorn' }
    const sounds = [LIMITS.soundBytes.value, LIMITS.soundBytes.value + 1].map((bytes) => ({ sound: uri('audio/mpeg', bytes) }))
    expect(verdicts(ENDPOINTS.CREATE_GUILD_SOUNDBOARD_SOUND, sound, sounds)).toEqual([true, false])
    expect(accepts(ENDPOINTS.CREATE_GUILD_SOUNDBOARD_SOUND, { ...sound, sound: uri('image/png', 9) })).toBe(false)
  })

  it('play at volumes from 0 to 1', () => {
    const volumes = [0, 0.5, 1, null, -0.1, 1.1].map((volume) => ({ volume }))
    expect(verdicts(ENDPOINTS.MODIFY_GUILD_SOUNDBOARD_SOUND, { guild_id: '1', sound_id: '2' }, volumes)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('require the permissions of 23 February 2026', { tags: ['9.2-7'] }, () => {
    expect(ENDPOINTS.CREATE_GUILD_SOUNDBOARD_SOUND.permissions).toEqual(['CREATE_GUILD_EXPRESSIONS'])
    expect(ENDPOINTS.SEND_SOUNDBOARD_SOUND.permissions).toEqual(['SPEAK', 'USE_SOUNDBOARD'])
  })
})

describe('SKUs, entitlements and subscriptions', () => {
  it('include the renewal SKUs and the cancellation time of a subscription', { tags: ['2.2-24'] }, () => {
    const [period, ended] = ['2026-01-01T00:00:00+00:00', '2026-01-02T00:00:00+00:00']
    const subscription = {
      id: '1',
      user_id: '2',
      sku_ids: [],
      entitlement_ids: [],
      current_period_start: period,
      current_period_end: period,
    }
    const read = (over: object) => ENDPOINTS.GET_SKU_SUBSCRIPTION.response.safeParse({ ...subscription, ...over }).success
    expect(read({ status: 1, canceled_at: ended, renewal_sku_ids: ['3'] })).toBe(true)
    expect(read({ status: 7, canceled_at: null, renewal_sku_ids: null, newer: true })).toBe(true)
    expect([read({ status: 'ENDING', canceled_at: null }), read({ status: 2, canceled_at: null, renewal_sku_ids: 'x' })]).toEqual([
      false,
      false,
    ])
  })
})

describe('the application', () => {
  const edit = (changes: readonly object[]) => verdicts(ENDPOINTS.EDIT_CURRENT_APPLICATION, {}, changes)

  it('has limited texts, tags and URLs', () => {
    const url = (length: number) => `https://example.test/${'x'.repeat(length - 21)}`
    expect(
      edit([
        { description: 'x'.repeat(400) },
        { tags: ['x'.repeat(20)] },
        { custom_install_url: url(2048) },
        { flags: LIMITED_INTENT_FLAGS },
      ]),
    ).toEqual([true, true, true, true])
    expect(
      edit([{ description: 'x'.repeat(401) }, { tags: ['x'.repeat(21)] }, { tags: Array(6).fill('x') }, { custom_install_url: url(2049) }]),
    ).toEqual([false, false, false, false])
  })

  it('has install parameters for two contexts', { tags: ['2.2-12'] }, () => {
    const config = (integration_types_config: object) => ({ integration_types_config })
    const params = (scopes: string[], permissions: unknown) => ({ oauth2_install_params: { scopes, permissions } })
    expect(edit([config({ '0': params(['bot'], '2048'), '1': params(['applications.commands'], 0) }), config({ '1': {} })])).toEqual([
      true,
      true,
    ])
    expect(edit([config({ '2': {} }), config({ '0': params(['identify'], '0') }), config({ '0': params([], '0') })])).toEqual([
      false,
      false,
      false,
    ])
  })

  it('has bits beyond 30 as text', { tags: ['2.2-11'] }, () => {
    const application = { id: '1', name: 'A', icon: null, description: '', verify_key: '00', flags: 0 }
    const read = (flags_new: unknown) => ENDPOINTS.GET_CURRENT_APPLICATION.response.safeParse({ ...application, flags_new }).success
    expect([read('1099511627776'), read(undefined), read(1099511627776)]).toEqual([true, true, false])
  })
})
