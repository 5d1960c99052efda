/** Auto-moderation rules and audit log entries of the sandbox. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdsKeyword } from '@sallyport/sandbox/api/moderation-triggers'
import { expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, startHarness, OTHER_APPLICATION } from '../harness.ts'

interface Guild {
  readonly id: string
  readonly name: string
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}

let harness: Harness
let harbour: Guild
let lighthouse: Guild
beforeEach(async () => {
  harness = await startHarness()
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as { guilds: Guild[] }
  const named = (name: string) => guilds.find((guild) => guild.name === name) as Guild
  harbour = named('Harbour')
  lighthouse = named('Lighthouse')
})
afterEach(() => harness.close())

const send = (method: string, path: string, json?: unknown, reason?: string): Promise<Answer> =>
  harness.send(method, path, {
    token: `Bot sandbox-bot-${APPLICATION}`,
    ...(json === undefined ? {} : { json }),
    ...(reason === undefined ? {} : { headers: { 'x-audit-log-reason': encodeURIComponent(reason) } }),
  })
const channel = (name: string): string => harbour.channels.find((one) => one.name === name)?.id ?? ''
const rules = () => `/guilds/${harbour.id}/auto-moderation/rules`
const rule = (more: object = {}) => ({
  name: 'Monsters',
  event_type: 1,
  trigger_type: 1,
  enabled: true,
  trigger_metadata: { keyword_filter: ['kraken'] },
  actions: [{ type: 1 }],
  ...more,
})
const write = (content: string, where = 'general'): Promise<Answer> => send('POST', `/channels/${channel(where)}/messages`, { content })
const log = async (query = ''): Promise<Record<string, unknown>[]> => {
  const answer = await send('GET', `/guilds/${harbour.id}/audit-logs${query}`)
  expectShape('GET_GUILD_AUDIT_LOG', answer)
  return answer.json['audit_log_entries'] as Record<string, unknown>[]
}

describe('a keyword rule', () => {
  it('blocks messages and edits, until it is switched off', { tags: ['7-6'] }, async () => {
    const made = await send('POST', rules(), rule())
    expectShape('CREATE_AUTO_MODERATION_RULE', made)
    expect(refusal(await write('A Kraken!'))).toEqual([400, 200000])
    const calm = await write('Krakens are no krakenlets')
    expect(calm.status).toBe(200)
    const path = `/channels/${channel('general')}/messages/${String(calm.json['id'])}`
    expect(refusal(await send('PATCH', path, { content: 'the kraken' }))).toEqual([400, 200000])
    const one = `${rules()}/${String(made.json['id'])}`
    expectShape('MODIFY_AUTO_MODERATION_RULE', await send('PATCH', one, { enabled: false }))
    expect((await write('A Kraken!')).status).toBe(200)
    expectShape('GET_AUTO_MODERATION_RULE', await send('GET', one))
    expectShape('LIST_AUTO_MODERATION_RULES_FOR_GUILD', await send('GET', rules()))
    expectShape('DELETE_AUTO_MODERATION_RULE', await send('DELETE', one))
    expect(refusal(await send('GET', one))).toEqual([404, 10066])
  })

  it('spares exempt channels, and blocks only with a block action', async () => {
    await send('POST', rules(), rule({ exempt_channels: [channel('screenshots')] }))
    expect((await write('kraken', 'screenshots')).status).toBe(200)
    await send(
      'POST',
      rules(),
      rule({ trigger_metadata: { keyword_filter: ['squid'] }, actions: [{ type: 2, metadata: { channel_id: '1' } }] }),
    )
    expect((await write('squid')).status).toBe(200)
  })

  it('matches whole words, or parts where an asterisk stands, and never what is allowed', () => {
    expect(holdsKeyword('the Kraken, again', ['kraken'], [])).toBe(true)
    expect(holdsKeyword('krakens', ['kraken'], [])).toBe(false)
    expect(holdsKeyword('krakens', ['kraken*'], [])).toBe(true)
    expect(holdsKeyword('skraken', ['kraken*'], [])).toBe(false)
    expect(holdsKeyword('skraken', ['*kraken'], [])).toBe(true)
    expect(holdsKeyword('skrakens', ['*kraken*'], [])).toBe(true)
    expect(holdsKeyword('kraken rum', ['kraken'], ['kraken rum'])).toBe(false)
    expect(holdsKeyword('a+b', ['a+b'], [])).toBe(true)
    expect(holdsKeyword('aab', ['a+b'], [])).toBe(false)
  })
})

describe('rules of a guild', () => {
  it('are six for keywords and one of every other kind', { tags: ['2.2-59'] }, async () => {
    for (let index = 0; index < 6; index++) expect((await send('POST', rules(), rule())).status).toBe(200)
    expect(refusal(await send('POST', rules(), rule()))).toEqual([400, 50035])
    const profile = rule({ event_type: 2, trigger_type: 6, actions: [{ type: 4 }] })
    expect((await send('POST', rules(), profile)).json).toMatchObject({ trigger_type: 6, actions: [{ type: 4 }] })
    expect(refusal(await send('POST', rules(), profile))).toEqual([400, 50035])
  })

  it('keep trigger, event and action together when they are changed', { tags: ['2.2-60'] }, async () => {
    const { json } = await send('POST', rules(), rule())
    const path = `${rules()}/${String(json['id'])}`
    expect(refusal(await send('PATCH', path, { actions: [{ type: 4 }] }))).toEqual([400, 50035])
    expect(refusal(await send('PATCH', path, { event_type: 2 }))).toEqual([400, 50035])
  })

  it('need MANAGE_GUILD', async () => {
    expect(refusal(await send('GET', `/guilds/${lighthouse.id}/auto-moderation/rules`))).toEqual([403, 50013])
  })
})

describe('the audit log', () => {
  it('has the set and the cleared status of a voice channel', { tags: ['6-9', '6-10'] }, async () => {
    const path = `/channels/${channel('Engine Room')}/voice-status`
    await send('PUT', path, { status: 'quiet' }, 'night watch')
    await send('PUT', path, { status: null })
    const [cleared, set] = await log()
    expect(set).toMatchObject({ action_type: 192, options: { status: 'quiet' }, reason: 'night watch', user_id: APPLICATION })
    expect(cleared).toMatchObject({ action_type: 193, target_id: channel('Engine Room') })
    expect(cleared?.['options']).not.toHaveProperty('status')
    expect(cleared).not.toHaveProperty('reason')
  })

  it('has pins, prunes, invites, rules and blocked messages', async () => {
    const { json } = await write('Ahoy')
    const pin = `/channels/${channel('general')}/messages/pins/${String(json['id'])}`
    await send('PUT', pin, undefined, 'keep')
    await send('DELETE', pin)
    await send('POST', `/guilds/${harbour.id}/prune`, {}, 'gone')
    await send('POST', `/channels/${channel('general')}/invites`, {}, 'a fleet')
    await send('POST', rules(), rule(), 'no monsters')
    await write('kraken')
    const entries = await log()
    expect(entries.map(({ action_type }) => action_type)).toEqual([143, 140, 40, 21, 75, 74])
    expect(entries.map(({ reason }) => reason)).toEqual([undefined, 'no monsters', 'a fleet', 'gone', undefined, 'keep'])
    expect(entries[0]).toMatchObject({ options: { auto_moderation_rule_name: 'Monsters', auto_moderation_rule_trigger_type: '1' } })
    expect(entries[3]).toMatchObject({ options: { delete_member_days: '7', members_removed: '1' } })
    expect(await log('?action_type=74')).toHaveLength(1)
    expect(await log('?limit=2')).toHaveLength(2)
    const oldest = String(entries.at(-1)?.['id'])
    expect((await log(`?after=${oldest}&limit=1`)).map(({ action_type }) => action_type)).toEqual([75])
    expect(await log(`?before=${oldest}`)).toEqual([])
    expect(await log('?user_id=1')).toEqual([])
  })

  it('needs VIEW_AUDIT_LOG', async () => {
    expect(refusal(await send('GET', `/guilds/${lighthouse.id}/audit-logs`))).toEqual([403, 50013])
  })
})

describe('moderation metadata of a direct message', () => {
  it('is set by the backend, in either order of the users, and cleared by an edit', { tags: ['2.2-57', '4.2-9', '9.1-18'] }, async () => {
    const { access_token: token } = await harness.signIn('identify sdk.social_layer')
    const [ada, grace] = [await harness.idOf('ada'), await harness.idOf('grace')]
    const { json: message } = await harness.send('POST', `/users/${grace}/messages`, { token, json: { content: 'Ahoy' } })
    const path = (one: string, other: string) => `/partner-sdk/dms/${one}/${other}/messages/${String(message['id'])}/moderation-metadata`
    const metadataSeen = async () =>
      (JSON.parse((await harness.send('GET', `/users/${grace}/messages`, { token })).text) as Record<string, unknown>[])[0]?.[
        'moderation_metadata'
      ]
    expectShape('UPDATE_USER_MESSAGE_MODERATION_METADATA', await send('PUT', path(ada, grace), { verdict: 'fine' }))
    expect(await metadataSeen()).toEqual({ verdict: 'fine' })
    await send('PUT', path(grace, ada), { verdict: 'rude' })
    expect(await metadataSeen()).toEqual({ verdict: 'rude' })
    expect(refusal(await send('PUT', path(ada, grace), Object.fromEntries([1, 2, 3, 4, 5, 6].map((key) => [key, 'x']))))).toEqual([
      400, 50035,
    ])
    expect(refusal(await send('PUT', path(ada, '1'), {}))).toEqual([404, 10013])
    const byOther = { token: `Bot sandbox-bot-${OTHER_APPLICATION}`, json: { verdict: 'mine' } }
    expect(refusal(await harness.send('PUT', path(ada, grace), byOther))).toEqual([404, 10008])
    await harness.send('PATCH', `/users/${grace}/messages/${String(message['id'])}`, { token, json: { content: 'Hello' } })
    expect(await metadataSeen()).toBeUndefined()
  })
})
