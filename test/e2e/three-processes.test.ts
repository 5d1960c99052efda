/** A game, its bot and its backend, three programs on one daemon: what each gets by its own right, without the platform's own client. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Interaction } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Message } from '#test/support/frames.ts'
import { SOON } from '#test/support/soon.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const APPLICATION = '888000110'
const BOT = `sandbox-bot-${APPLICATION}`
const HELLO = { v: 1, client_id: APPLICATION, contract: '1.0' }
const FILE_BYTES = 9 * 1024 * 1024
const GUILD_MEMBERS_LIMITED = 1 << 15
/** Flag of a member whom a rule for names blocks. */
const QUARANTINED = 1 << 7

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly guilds: readonly { readonly id: string; readonly name: string; readonly channels: readonly { id: string; name: string }[] }[]
}

let at: Folders
let daemon: Daemon
let files: string
let state: State
let game: ProgramClient
let bot: ProgramClient
let backend: ProgramClient
const programs: ProgramClient[] = []

async function start(name: string, hello: object = HELLO): Promise<ProgramClient> {
  const program = await ProgramClient.start(makeProgram(join(at.base, name, 'program')), daemon.socket, hello)
  programs.push(program)
  return program
}

async function signIn(program: ProgramClient, username: string, scopes?: readonly string[]): Promise<void> {
  const place = { authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }
  const answer = await program.call('AUTHENTICATE', { access_token: await sandboxToken(place, username, APPLICATION, scopes) })
  expect(answer.evt, JSON.stringify(answer.data)).toBeNull()
}

/** The data of a call that must succeed. */
async function dataOf(program: ProgramClient, cmd: string, args: object = {}): Promise<any> {
  const { evt, data } = await program.call(cmd, args)
  expect(evt, `${cmd}: ${JSON.stringify(data)}`).toBeNull()
  return data
}

/** The next event of this name. */
async function eventOf(program: ProgramClient, name: string): Promise<any> {
  let message: Message
  do message = await program.message()
  while (message.evt !== name)
  return message.data
}

async function send(path: string, body: object, method = 'POST'): Promise<any> {
  const answer = await fetch(`${daemon.origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bot ${BOT}` },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(answer.status, `${path}: ${text}`).toBeLessThan(300)
  return text === '' ? {} : JSON.parse(text)
}

const user = (name: string): string => state.users.find(({ username }) => username === name)?.id ?? ''
const guild = (named: string) => state.guilds.find(({ name }) => name === named)
const channel = (named: string): string => guild('Harbour')?.channels.find(({ name }) => name === named)?.id ?? ''

beforeAll(async () => {
  at = await folders()
  files = mkdtempSync(join(tmpdir(), 'sp-files-'))
  daemon = await startDaemon(SOURCE, at, [], { SALLYPORT_BOT_TOKEN: BOT })
  state = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as State
  game = await start('game')
  bot = await start('bot')
  backend = await start('backend')
  await signIn(game, 'ada')
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end()))
  await daemon.stop()
  rmSync(files, { recursive: true, force: true })
  await at.remove()
})

describe.skipIf(process.platform !== 'linux')('three programs of one application', () => {
  test('the subscription of another user is the bot’s to read; a user reads none but the own', async () => {
    const skus = (await dataOf(bot, 'LIST_SKUS', { application_id: APPLICATION })) as { id: string; type: number }[]
    const sku_id = skus.find(({ type }) => type === 5)?.id
    const owners = async (program: ProgramClient, args: object): Promise<readonly string[]> => {
      const found = (await dataOf(program, 'LIST_SKU_SUBSCRIPTIONS', { sku_id, ...args })) as { user_id: string }[]
      return found.map(({ user_id }) => user_id)
    }
    expect(await owners(bot, { user_id: user('grace') })).toEqual([user('grace')])
    expect(await owners(game, {})).toEqual([user('ada')])
    // About another user, the token of the signed-in user is never sent.
    expect(await owners(game, { user_id: user('grace'), as_bot: false })).toEqual([user('grace')])
  })

  test.skipIf(process.env['TEST_WAITS'] === undefined)(
    'an intent that the portal allows is noticed while a subscription is held',
    async () => {
      const guild_id = guild('Harbour')?.id
      await dataOf(backend, 'GET_GUILD_CHANNELS', { guild_id, as_bot: true })
      expect((await game.call('SUBSCRIBE', { guild_id }, 'GUILD_STATUS')).evt).toBeNull()
      const members = () => game.call('REQUEST_GUILD_MEMBERS', { guild_id, query: '', limit: 0 })
      expect((await members()).data).toMatchObject({ code: 4006 })
      await send('/api/v10/applications/@me', { flags: GUILD_MEMBERS_LIMITED }, 'PATCH')
      // The bridge looks at the flags of the application once a minute, so this is in npm run test:long -- waits.
      await vi.waitFor(async () => expect((await members()).data).toHaveProperty('members'), { interval: 2_000, timeout: 100_000 })
    },
    150_000,
  )

  test('an invite brings grace the cover that ada’s game set', async () => {
    const friend = await start('friend')
    await signIn(friend, 'grace')
    expect((await friend.call('SUBSCRIBE', {}, 'ACTIVITY_INVITE')).evt).toBeNull()
    const assets = { invite_cover_image: 'night-cover' }
    const activity = {
      name: 'Night fishing',
      type: 5,
      details: 'In the harbour',
      assets,
      party: { id: 'pier', size: [1, 4] },
      secrets: { join: 'the-rope' },
    }
    await dataOf(game, 'SET_ACTIVITY', { pid: await game.connector, activity })
    await vi.waitFor(async () => {
      await dataOf(game, 'ACTIVITY_INVITE_USER', { user_id: user('grace'), type: 1, pid: await game.connector })
    }, SOON)
    expect(await eventOf(friend, 'ACTIVITY_INVITE')).toMatchObject({
      activity: { name: 'Night fishing', type: 5, details: 'In the harbour', assets },
    })
  })

  test('relationships come without the desktop client', async () => {
    await send('/sandbox/relationships', { user: 'ada', other: 'mary', type: 'friend' })
    const { relationships } = (await dataOf(game, 'GET_RELATIONSHIPS')) as { relationships: { user: { username: string } }[] }
    expect(relationships.map((one) => one.user.username)).toContain('mary')
  })

  test('three files of 9 MiB go in one message', async () => {
    const paths = [1, 2, 3].map((number) => {
      const path = join(files, `chart-${number}.bin`)
      writeFileSync(path, Buffer.alloc(FILE_BYTES, number))
      return { path }
    })
    const { attachments } = (await dataOf(bot, 'CREATE_MESSAGE', { channel_id: channel('general'), files: paths })) as {
      attachments: { size: number }[]
    }
    expect(attachments.map(({ size }) => size)).toEqual([FILE_BYTES, FILE_BYTES, FILE_BYTES])
  })

  test('an interaction of the sandbox’s page reaches the game, which responds', async () => {
    expect((await game.call('SUBSCRIBE', {}, 'INTERACTION_CREATE')).evt).toBeNull()
    let first: Interaction | undefined
    void eventOf(game, 'INTERACTION_CREATE').then((interaction: Interaction) => (first = interaction))
    // Until the bot is connected, the platform has nowhere to send an interaction.
    await vi.waitFor(async () => {
      await send('/sandbox/interactions', { application_id: APPLICATION, user: 'mary', answer_within_ms: 60_000 })
      await vi.waitFor(() => expect(first).toBeDefined(), { timeout: 500 })
    }, SOON)
    const { id, token } = first as unknown as Interaction
    await dataOf(game, 'CREATE_INTERACTION_RESPONSE', { interaction_id: id, interaction_token: token, type: 4, data: { content: 'Ahoy' } })
    const original = await dataOf(game, 'GET_ORIGINAL_INTERACTION_RESPONSE', { application_id: APPLICATION, interaction_token: token })
    expect(original).toMatchObject({ content: 'Ahoy' })
  })

  test('a member whose nick a rule forbids is blocked until it changes', async () => {
    const guild_id = guild('Harbour')?.id ?? ''
    await dataOf(bot, 'CREATE_AUTO_MODERATION_RULE', {
      guild_id,
      name: 'Nicks',
      event_type: 2,
      trigger_type: 6,
      trigger_metadata: { keyword_filter: ['kraken'] },
      actions: [{ type: 4 }],
      enabled: true,
    })
    const write = () =>
      fetch(`${daemon.origin}/sandbox/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user: 'linus', channel: channel('general'), content: 'Ahoy' }),
      })
    const rename = (nick: string) => dataOf(bot, 'MODIFY_GUILD_MEMBER', { guild_id, user_id: user('linus'), nick })
    expect(await rename('kraken')).toMatchObject({ nick: 'kraken', flags: QUARANTINED })
    expect(await (await write()).json()).toMatchObject({ code: 50013 })
    expect(await rename('captain')).toMatchObject({ nick: 'captain', flags: 0 })
    expect((await write()).status).toBe(201)
  })
})
