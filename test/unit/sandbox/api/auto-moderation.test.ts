/** Triggers and actions of auto-moderation rules, on messages of bots and users and on profiles. */
import { Patterns } from '@sallyport/sandbox/api/patterns'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, startHarness } from '../harness.ts'

interface Guild {
  readonly id: string
  readonly name: string
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}

let harness: Harness
let harbour: Guild
beforeEach(async () => {
  harness = await startHarness()
  harbour = await guildOf(harness)
})
afterEach(() => harness.close())

const guildOf = async (from: Harness): Promise<Guild> => {
  const { guilds } = (await from.send('GET', '~sandbox/state')).json as unknown as { guilds: Guild[] }
  return guilds.find(({ name }) => name === 'Harbour') as Guild
}
const token = `Bot sandbox-bot-${APPLICATION}`
const send = (method: string, path: string, json?: unknown, from = harness): Promise<Answer> =>
  from.send(method, path, { token, ...(json === undefined ? {} : { json }) })
const control = (what: string, json: object) => harness.send('POST', `~sandbox/${what}`, { json })
const channel = (name: string): string => harbour.channels.find((one) => one.name === name)?.id ?? ''
const BLOCK = { type: 1 }
const addRule = (trigger_type: number, trigger_metadata: object, more: object = {}) =>
  send('POST', `/guilds/${harbour.id}/auto-moderation/rules`, {
    name: 'Monsters',
    event_type: trigger_type === 6 ? 2 : 1,
    trigger_type,
    enabled: true,
    trigger_metadata,
    actions: [BLOCK],
    ...more,
  })
const write = (content: string, where = 'general') => send('POST', `/channels/${channel(where)}/messages`, { content })
const byUser = (user: string, content: string) => control('messages', { channel: 'general', user, content })
const member = async (user: string) => {
  const { text } = await send('GET', `/guilds/${harbour.id}/voice-states/${await harness.idOf(user)}`)
  return (JSON.parse(text) as { member: Record<string, unknown> }).member
}
const actionsInLog = async () =>
  ((await send('GET', `/guilds/${harbour.id}/audit-logs`)).json['audit_log_entries'] as readonly Record<string, unknown>[]).map(
    ({ action_type }) => action_type,
  )

describe('a pattern', () => {
  it('blocks what it matches, except what is allowed', async () => {
    expect((await addRule(1, { regex_patterns: ['(?i)kr[a4]ken\\b', '^\\p{Lu}{5,}'], allow_list: ['kraken rum'] })).status).toBe(200)
    expect(refusal(await write('the KR4KEN, again'))).toEqual([400, 200_000])
    expect(refusal(await write('AHOY THERE'.replace(' ', '')))).toEqual([400, 200_000])
    expect((await write('kraken rum')).status).toBe(200)
    expect((await write('krakens')).status).toBe(200)
  })

  it.each(['(?=x)', '[', '(a)\\1'])('that is not one is refused with its place: %s', async (pattern) => {
    const refused = await addRule(1, { regex_patterns: ['fine', pattern] })
    expect(refusal(refused)).toEqual([400, 50_035])
    expect(refused.json).toMatchObject({ errors: { trigger_metadata: { regex_patterns: { '1': { _errors: [{}] } } } } })
  })

  it('is refused in a change too', async () => {
    const { json } = await addRule(1, { keyword_filter: ['kraken'] })
    const path = `/guilds/${harbour.id}/auto-moderation/rules/${String(json['id'])}`
    expect(refusal(await send('PATCH', path, { trigger_metadata: { regex_patterns: ['('] } }))).toEqual([400, 50_035])
    expect((await send('PATCH', path, { trigger_metadata: { regex_patterns: ['sq.id'] } })).status).toBe(200)
    expect(refusal(await write('a squid'))).toEqual([400, 200_000])
    expect((await write('a kraken')).status).toBe(200)
  })

  it('that would explode elsewhere takes linear time', async () => {
    const patterns = new Patterns()
    const rule = { body: { trigger_metadata: { regex_patterns: ['(a+)+$', '(.*)*b{1,50}$', '(x+x+)+y'] } } }
    await patterns.load([rule])
    expect(patterns.match(rule, `${'a'.repeat(4_000)}!`)).toBe(false)
    expect(patterns.match(rule, 'x'.repeat(4_000))).toBe(false)
  })

  it('acts after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const dataFile = join(folder, 'sandbox.sqlite')
    const before = await startHarness({ dataFile })
    const guild = await guildOf(before)
    const rule = { name: 'Monsters', event_type: 1, trigger_type: 1, enabled: true, actions: [BLOCK] }
    await send('POST', `/guilds/${guild.id}/auto-moderation/rules`, { ...rule, trigger_metadata: { regex_patterns: ['kr.ken'] } }, before)
    await before.close()
    const after = await startHarness({ dataFile })
    const general = guild.channels.find(({ name }) => name === 'general')?.id
    expect(refusal(await send('POST', `/channels/${general}/messages`, { content: 'kroken' }, after))).toEqual([400, 200_000])
    await after.close()
    rmSync(folder, { recursive: true })
  })
})

it('words of the lists block, in the named lists only', async () => {
  await addRule(4, { presets: [1, 3], allow_list: ['not sandbox-slur'] })
  expect(refusal(await write('sandbox-profanity'))).toEqual([400, 200_000])
  expect(refusal(await write('a sandbox-slur!'))).toEqual([400, 200_000])
  expect((await write('not sandbox-slur')).status).toBe(200)
  expect((await write('sandbox-sexual-content')).status).toBe(200)
})

it('more different users and roles than the limit are too many mentions', async () => {
  await addRule(5, { mention_total_limit: 2 })
  expect((await write('<@1> <@!1> <@&1> <@1>')).status).toBe(200)
  expect(refusal(await write('<@1> <@2> <@&1>'))).toEqual([400, 200_000])
})

it('a role can be exempt, for users and for bots', async () => {
  const crew = Object.keys((await send('GET', `/guilds/${harbour.id}/roles/member-counts`)).json)[0] ?? ''
  await addRule(1, { keyword_filter: ['kraken'] }, { exempt_roles: [crew] })
  expect((await byUser('grace', 'kraken')).status).toBe(201)
  expect(refusal(await byUser('linus', 'kraken'))).toEqual([400, 200_000])
  expect(refusal(await write('kraken'))).toEqual([400, 200_000])
  await control('roles', { guild: 'Harbour', role: crew, members: [null] })
  expect((await write('kraken')).status).toBe(200)
})

describe('actions', () => {
  it('send an alert in the name of the author, and let the message through without a block', async () => {
    const alert = { type: 2, metadata: { channel_id: channel('screenshots') } }
    await addRule(1, { keyword_filter: ['kraken'] }, { actions: [alert] })
    expect((await byUser('linus', 'a kraken')).status).toBe(201)
    const { text } = await send('GET', `/channels/${channel('screenshots')}/messages`)
    expect(JSON.parse(text)).toMatchObject([
      {
        type: 24,
        author: { id: await harness.idOf('linus') },
        embeds: [
          { type: 'auto_moderation_message', description: 'a kraken', fields: [{ value: 'Monsters' }, { value: channel('general') }] },
        ],
      },
    ])
    expect(await actionsInLog()).toEqual([144, 140])
  })

  it('put a member in a timeout, who then only reads until it ends', async () => {
    await addRule(1, { keyword_filter: ['kraken'] }, { actions: [BLOCK, { type: 3, metadata: { duration_seconds: 60 } }] })
    const { access_token } = await harness.signIn('identify guilds', { user: 'grace' })
    const permissions = async () => {
      const guilds = JSON.parse((await harness.send('GET', '/users/@me/guilds', { token: access_token })).text) as {
        id: string
        permissions: string
      }[]
      return guilds.find(({ id }) => id === harbour.id)?.permissions
    }
    const before = await permissions()
    expect(refusal(await byUser('grace', 'kraken'))).toEqual([400, 200_000])
    expect(await permissions()).toBe(String((1 << 10) | (1 << 16)))
    expect((await member('grace'))['communication_disabled_until']).toBe(
      new Date(harness.clock.now() + 60_000).toISOString().replace('Z', '000+00:00'),
    )
    expect(await actionsInLog()).toEqual([145, 143, 140])
    harness.clock.advance(60_000)
    expect(await permissions()).toBe(before)
    expect((await member('grace'))['communication_disabled_until']).toBeNull()
  })

  it('put a bot in a timeout: it can write again afterwards', async () => {
    await addRule(1, { keyword_filter: ['kraken'] }, { actions: [{ type: 3, metadata: { duration_seconds: 60 } }] })
    expect((await write('kraken')).status).toBe(200)
    expect(refusal(await write('Ahoy'))).toEqual([403, 50_013])
    harness.clock.advance(60_000)
    expect((await write('Ahoy')).status).toBe(200)
  })
})

describe('a profile rule', () => {
  const QUARANTINED = 1 << 7
  const rule = (more: object = {}) =>
    addRule(6, { keyword_filter: ['*kraken*'], regex_patterns: ['^Capt'] }, { actions: [{ type: 4 }], ...more })

  it('blocks the interactions of a bot with a forbidden name, until it has another', { tags: ['2.2-60'] }, async () => {
    await rule()
    const rename = (body: object) => send('PATCH', `/guilds/${harbour.id}/members/@me`, body)
    expect((await rename({ nick: 'Krakenbot' })).json).toMatchObject({ nick: 'Krakenbot', flags: QUARANTINED })
    expect(refusal(await write('Ahoy'))).toEqual([403, 50_013])
    expect(refusal(await rename({ nick: 'Parrot' }))).toEqual([403, 50_013])
    expect((await rename({ bio: 'A parrot' })).json).toMatchObject({ flags: QUARANTINED })
    expect(await actionsInLogOfOther()).toContain(146)
  })

  /** The blocked bot cannot read the log; the bot of another application can. */
  const actionsInLogOfOther = async () => {
    const { json } = await harness.send('GET', `/guilds/${harbour.id}/audit-logs`, { token: 'Bot sandbox-bot-223456789012345678' })
    return (json['audit_log_entries'] as readonly Record<string, unknown>[]).map(({ action_type }) => action_type)
  }

  it('blocks a user who takes a forbidden nick or joins with a forbidden name', { tags: ['2.2-60'] }, async () => {
    await rule()
    await control('members', { guild: 'Harbour', user: 'grace', nick: 'Captain Grace' })
    expect(await member('grace')).toMatchObject({ nick: 'Captain Grace', flags: QUARANTINED })
    await control('members', { guild: 'Harbour', user: 'grace', nick: 'Grace' })
    expect(await member('grace')).toMatchObject({ nick: 'Grace', flags: 0 })
    await addRuleForMary()
    const { json: invite } = await send('POST', `/channels/${channel('general')}/invites`, {})
    await control('invites', { user: 'mary', code: invite['code'] })
    await control('channels', { channel: 'Engine Room', connected: ['mary'] })
    expect(await member('mary')).toMatchObject({ flags: QUARANTINED })
  })

  const addRuleForMary = async () => {
    const { text } = await send('GET', `/guilds/${harbour.id}/auto-moderation/rules`)
    const [{ id } = { id: '' }] = JSON.parse(text) as { id: string }[]
    return send('PATCH', `/guilds/${harbour.id}/auto-moderation/rules/${id}`, { trigger_metadata: { keyword_filter: ['mary'] } })
  }

  it('sends an alert without a block', async () => {
    await rule({ actions: [{ type: 2, metadata: { channel_id: channel('screenshots') } }] })
    await control('members', { guild: 'Harbour', user: 'grace', nick: 'Kraken' })
    expect(await member('grace')).toMatchObject({ nick: 'Kraken', flags: 0 })
    const { text } = await send('GET', `/channels/${channel('screenshots')}/messages`)
    expect(JSON.parse(text)).toMatchObject([{ type: 24, author: { id: await harness.idOf('grace') } }])
  })

  it('does not look at messages, nor a message rule at names', { tags: ['2.2-59'] }, async () => {
    await rule()
    expect((await write('kraken')).status).toBe(200)
    await addRule(1, { keyword_filter: ['parrot'] }, { actions: [{ type: 3, metadata: { duration_seconds: 60 } }] })
    await control('members', { guild: 'Harbour', user: 'grace', nick: 'Parrot' })
    expect(await member('grace')).toMatchObject({ flags: 0, communication_disabled_until: null })
  })
})
