/** What a test asks of the strict sandbox, and what it gets: scopes, redirects, intents, limits, time, roles. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { limitsTable, refereeTable, rulesTable } from '#test/referee/table.ts'
import { open } from '../gateway/client.ts'
import { APPLICATION, BASE_QUERY, type Harness, pkce, REDIRECT, startHarness } from '../harness.ts'

const BOT = `Bot sandbox-bot-${APPLICATION}`
const SCHEME = 'harbourgame:/authorize/callback'

let harness: Harness
afterEach(() => harness.close())
const start = async (mode: 'strict' | 'relaxed' = 'strict') => {
  harness = await startHarness({ mode })
}
const control = async (path: string, json: object, method = 'POST') => {
  const { status, text } = await harness.send(method, `~sandbox/${path}`, { json })
  expect(status, text).toBeLessThan(300)
}
const settings = (json: object) => control('applications', { application_id: APPLICATION, ...json })
const locationOf = async (query: Record<string, string>) =>
  new URL((await harness.authorize({ ...BASE_QUERY, ...query })).headers.get('location') ?? REDIRECT).searchParams
const errorOf = async (query: Record<string, string>) => (await locationOf(query)).get('error')

interface Finding {
  readonly rule: string
  readonly count: number
  readonly message: string
}
const findings = async () => ((await harness.send('GET', '~sandbox/state')).json as unknown as { findings: Finding[] }).findings
const rules = async () => (await findings()).map(({ rule }) => rule)

describe('the guide', () => {
  it.each([
    ['rules', rulesTable],
    ['limits', limitsTable],
    ['steps of the referee', refereeTable],
  ])('has the table of %s', async (_, tableOf) => {
    await start()
    expect(readFileSync(join(import.meta.dirname, '../../../../daemon/docs/guides/strict-sandbox.md'), 'utf8')).toContain(tableOf())
  })
})

describe('a scope that the platform must approve', () => {
  it('is for all users once it is approved, and for testers before', async () => {
    await start()
    expect(await errorOf({ scope: 'identify rpc' })).toBe('invalid_scope')
    await settings({ testers: ['grace'] })
    expect(await errorOf({ scope: 'identify rpc' })).toBe('invalid_scope')
    expect(await errorOf({ scope: 'identify rpc', login_hint: 'grace' })).toBeNull()
    await settings({ testers: [], approved_scopes: ['rpc'] })
    expect(await errorOf({ scope: 'identify rpc' })).toBeNull()
    expect(await errorOf({ scope: 'identify rpc messages.read' })).toBe('invalid_scope')
    expect((await harness.send('GET', '/applications/@me', { token: BOT })).json['eligible_oauth2_scopes']).toEqual(
      expect.arrayContaining(['rpc', 'identify']),
    )
    expect((await harness.send('GET', '/applications/@me', { token: BOT })).json['eligible_oauth2_scopes']).not.toContain('gdm.join')
    expect(await findings()).toEqual([])
  })

  it('is remembered in the relaxed sandbox, with what was asked, until it is forgotten', async () => {
    await start('relaxed')
    for (const scope of ['rpc', 'gdm.join', 'rpc']) expect(await errorOf({ scope: `identify ${scope}` })).toBeNull()
    expect(await findings()).toMatchObject([
      {
        rule: 'scope-approval',
        count: 3,
        message: expect.stringMatching(/: rpc, gdm\.join \(3 times\)\. The platform answers invalid_scope\.$/),
      },
    ])
    await control('findings', {}, 'DELETE')
    expect(await findings()).toEqual([])
  })
})

describe('a redirect', () => {
  const { challenge } = pkce()
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' }
  const statusOf = async (redirect_uri: string) => (await harness.authorize({ ...BASE_QUERY, ...proof, redirect_uri })).status

  it('is one of loopback or the default scheme, or registered', async () => {
    await start()
    expect(await statusOf('http://localhost:9/x')).toBe(302)
    expect(await statusOf(`discord-${APPLICATION}:/authorize/callback`)).toBe(302)
    expect(await statusOf(SCHEME)).toBe(400)
    const https = 'https://game.example/callback'
    expect(await statusOf(https)).toBe(400)
    await settings({ redirect_uris: [SCHEME, https] })
    expect([await statusOf(SCHEME), await statusOf(https), await statusOf(REDIRECT)]).toEqual([302, 302, 400])
    expect((await harness.send('GET', '/applications/@me', { token: BOT })).json['redirect_uris']).toEqual([SCHEME, https])
    await settings({ redirect_uris: null })
    expect([await statusOf(SCHEME), await statusOf(REDIRECT)]).toEqual([400, 302])
  })

  it('that is not registered passes in the relaxed sandbox; an https address does not', async () => {
    await start('relaxed')
    expect(await statusOf(SCHEME)).toBe(302)
    expect(await rules()).toEqual(['redirect-registration'])
    expect(await statusOf('https://game.example/callback')).toBe(400)
  })
})

describe('limits of the table', () => {
  const repeat = async (times: number, path = '/users/@me', method = 'GET', token = BOT, json?: object) => {
    const answers = []
    for (let count = 0; count < times; count++)
      answers.push(await harness.send(method, path, { token, ...(json === undefined ? {} : { json }) }))
    return answers
  }
  const refusedOf = async (...given: Parameters<typeof repeat>) => (await repeat(...given)).filter(({ status }) => status === 429)

  it('are 50 requests a second of one caller, and what the headers say; time moves the windows', async () => {
    await start()
    const [refused] = await refusedOf(51, '/gateway/bot')
    expect(refused?.json).toMatchObject({ global: true })
    expect(refused?.headers.get('x-ratelimit-scope')).toBe('global')
    await control('time', { advance_ms: 1_000 })
    const answer = await harness.send('GET', '/gateway/bot', { token: BOT })
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '60'])
  })

  it('are off for a test that says so, and back with the first rules', async () => {
    await start()
    await control('limits', { table: false })
    expect(await refusedOf(70, '/gateway/bot')).toEqual([])
    await control('limits', {}, 'DELETE')
    expect(await refusedOf(70, '/gateway/bot')).not.toEqual([])
  })

  it('count lobbies before the approval for all users of an application, and not after it', async () => {
    await start()
    await control('limits', { scope: 'user', limit: 10_000, window_ms: 1_000 })
    await control('limits', { scope: 'global', limit: 10_000, window_ms: 1_000 })
    const [ada, grace] = [await harness.signIn('identify lobbies.write'), await harness.signIn('identify lobbies.write', { user: 'grace' })]
    const lobbies = (times: number, { access_token }: { access_token: string }) =>
      refusedOf(times, '/lobbies', 'PUT', access_token, { secret: 'one' })
    expect(await lobbies(60, ada)).toEqual([])
    const refused = await lobbies(41, grace)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBe(7_200)
    await settings({ approved: true })
    expect(await lobbies(5, ada)).toEqual([])
  })

  it('are remembered in the relaxed sandbox, whose headers have none of them', async () => {
    await start('relaxed')
    const answers = await repeat(70, '/gateway/bot')
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers[0]?.headers.get('x-ratelimit-limit')).toBe('100000')
    expect((await rules()).toSorted()).toEqual(['rate-limit-bucket', 'rate-limit-global'])
  })
})

describe('message content', () => {
  it('needs the intent, which the application turns on', async () => {
    await start()
    const { guilds } = (await harness.send('GET', '~sandbox/state')).json as {
      guilds: { name: string; channels: { id: string; name: string }[] }[]
    }
    const general = guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'general')?.id
    const contents = async () =>
      ((await harness.send('GET', `/channels/${general}/messages`, { token: BOT })).json as unknown as { content: string }[]).map(
        ({ content }) => content,
      )
    expect(new Set(await contents())).toEqual(new Set(['']))
    expect((await harness.send('GET', '/applications/@me', { token: BOT })).json['flags']).toBe(0)
    await harness.send('PATCH', '/applications/@me', { token: BOT, json: { flags: 1 << 19 } })
    expect(await contents()).toContain('Welcome to the harbour')
  })
})

describe('an Identify of a bot', () => {
  const INVALID_SESSION = 9
  const identify = async () => {
    const client = await open(harness)
    client.send(2, { token: `sandbox-bot-${APPLICATION}`, intents: 1, properties: {} })
    return client.take(({ op, t }) => op === INVALID_SESSION || t === 'READY')
  }

  it('comes 5 seconds after the one before, or is refused', async () => {
    await start()
    expect((await identify()).t).toBe('READY')
    expect(await identify()).toMatchObject({ op: INVALID_SESSION, d: false })
    await control('time', { advance_ms: 5_000 })
    expect((await identify()).t).toBe('READY')
  })

  it('that comes too early is remembered in the relaxed sandbox', async () => {
    await start('relaxed')
    for (let count = 0; count < 2; count++) expect((await identify()).t).toBe('READY')
    expect(await rules()).toEqual(['identify-pace'])
  })
})

describe('a response of an application that only the user installed', () => {
  const EPHEMERAL = 1 << 6
  const answered = async (user: string, installed: readonly string[]) => {
    const { guilds } = (await harness.send('GET', '~sandbox/state')).json as { guilds: { channels: { id: string; name: string }[] }[] }
    const channel_id = guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'general')?.id
    const { json } = await harness.send('POST', '~sandbox/interactions', {
      json: { application_id: APPLICATION, user, channel_id, installed },
    })
    const path = `/interactions/${String(json['id'])}/${String(json['token'])}/callback?with_response=true`
    const answer = await harness.send('POST', path, { json: { type: 4, data: { content: 'Ahoy' } } })
    return (answer.json as { resource: { message: { flags: number } } }).resource.message.flags & EPHEMERAL
  }

  it('is ephemeral unless the user may use external apps', async () => {
    await start()
    expect(await answered('grace', ['user'])).toBe(EPHEMERAL)
    // She owns the guild.
    expect(await answered('ada', ['user'])).toBe(0)
    expect(await answered('grace', ['guild', 'user'])).toBe(0)
    await control('roles', { guild: 'Harbour', role: 'Crew', permissions: ['USE_EXTERNAL_APPS'] })
    expect(await answered('grace', ['user'])).toBe(0)
  })

  it('is public in the relaxed sandbox, which remembers it', async () => {
    await start('relaxed')
    expect(await answered('grace', ['user'])).toBe(0)
    expect(await rules()).toEqual(['external-app'])
  })
})

describe('the role of the bots', () => {
  it('is seen, and what it loses the bot cannot do', async () => {
    await start()
    const { guilds } = (await harness.send('GET', '~sandbox/state')).json as { guilds: { id: string; name: string }[] }
    const lighthouse = guilds.find(({ name }) => name === 'Lighthouse')?.id
    const bot = (await harness.send('GET', `/guilds/${lighthouse}/members/${APPLICATION}`, { token: BOT })).json
    expect(bot['roles']).toHaveLength(1)
    const emoji = () =>
      harness.send('POST', `/guilds/${lighthouse}/emojis`, { token: BOT, json: { name: 'anchor', image: 'data:image/png;base64,aGk=' } })
    expect((await emoji()).status).toBe(201)
    await control('roles', { guild: 'Lighthouse', role: 'Bots', permissions: ['VIEW_CHANNEL'] })
    expect((await emoji()).json).toMatchObject({ code: 50013 })
  })
})
