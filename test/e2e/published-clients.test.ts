/**
 * Published clients that are as their authors publish them: npm packages and a program of Debian as they are, others by the frames that they send. Each plays
 * its part, then meets a daemon that was killed, and one that was stopped, and is there again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as DJsRpc } from 'd-js-rpc'
import { Client as DiscordRpc } from 'discord-rpc'
import { Client as DiscordRpcPatch } from 'discord-rpc-patch'
import { Client as Xhayper } from '@xhayper/discord-rpc'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { frame, OP } from '#test/support/frames.ts'
import { SOON } from '#test/support/soon.ts'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { stateOf } from './support/bridge-state.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { namesKept } from './support/name-keeper.ts'
import { type Library, LIBRARIES, sender } from './support/library-frames.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '223344556677889901'
const SECRET = `sandbox-secret-${APPLICATION}`
const JOINS = ['ACTIVITY_JOIN', 'ACTIVITY_SPECTATE', 'ACTIVITY_JOIN_REQUEST']

let at: Folders
let daemon: Daemon
beforeEach(async () => {
  at = await folders()
  daemon = await startDaemon(SOURCE, at)
  await setApplication(daemon.origin, APPLICATION, ALL_SCOPES)
  vi.stubEnv('XDG_RUNTIME_DIR', at.runtime)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  if (!daemon.hasExited) await daemon.stop()
  await at.remove()
})

const shown = async (): Promise<string> => JSON.stringify((await stateOf(daemon)).presences)
const isShown = (text: string) => vi.waitFor(async () => expect(await shown()).toContain(text), SOON)

/** Ends the daemon, sees that no socket is left for a client, and starts another one. */
async function again(how: 'kill' | 'stop'): Promise<void> {
  await namesKept(daemon)
  await daemon[how]()
  await vi.waitFor(() => expect(existsSync(daemon.socket)).toBe(false), SOON)
  await expect(RawClient.open(daemon.socket)).rejects.toMatchObject({ code: 'ENOENT' })
  daemon = await startDaemon(SOURCE, at)
}

describe.each([
  ['discord-rpc 4.0.1', DiscordRpc],
  ['d-js-rpc 1.1.2', DJsRpc],
  ['discord-rpc-patch 4.0.1', DiscordRpcPatch],
])('%s', (_name, Client) => {
  /** After a lost connection a new object is needed: the old one keeps its first promise. */
  async function connected(scopes?: string[]): Promise<DiscordRpc> {
    const client = new Client({ transport: 'ipc' })
    Object.assign(client.fetch, { endpoint: `${daemon.origin}/api` })
    await client.login({
      clientId: APPLICATION,
      ...(scopes === undefined ? {} : { clientSecret: SECRET, scopes, redirectUri: 'http://localhost' }),
    })
    return client
  }

  test('reaches guilds and channels with rpc alone, joins, presence, errors, and a sign-in without a token', async () => {
    const client = await connected(['rpc'])
    expect(client.user.username).toBe('ada')
    const { guilds } = await client.getGuilds()
    const harbour = guilds.find(({ name }) => name === 'Harbour')
    expect(await client.getGuild(harbour?.id ?? '')).toMatchObject({ name: 'Harbour' })
    const channels = await client.getChannels(harbour?.id ?? '')
    const general = channels.find(({ name }) => name === 'general')
    expect(await client.getChannel(general?.id ?? '')).toMatchObject({ name: 'general' })
    for (const event of JOINS) await client.request('SUBSCRIBE', {}, event)
    await expect(client.setActivity({ details: 'x' })).rejects.toMatchObject({ code: 4000 })
    expect(await client.setActivity({ details: 'Mending nets', startTimestamp: 1_700_000_000.5 })).toMatchObject({
      details: 'Mending nets',
    })
    await isShown('Mending nets')
    expect(await client.request('AUTHENTICATE', {})).toMatchObject({ user: { username: 'ada' } })
    expect(await client.clearActivity()).toBeNull()
    await client.destroy()
  })

  test.each(['kill', 'stop'] as const)('is back after a %s', async (how) => {
    const before = await connected()
    await before.setActivity({ details: 'Before' })
    await again(how)
    const after = await connected()
    await after.setActivity({ details: 'After' })
    await isShown('After')
    await after.destroy()
  })
})

describe('@xhayper/discord-rpc 1.5.1', () => {
  const restOf = (client: Xhayper) => (client as unknown as { readonly rest: { readonly options: object } }).rest
  async function connected(scopes?: string[]): Promise<Xhayper> {
    const client = new Xhayper({ clientId: APPLICATION, clientSecret: SECRET })
    Object.assign(restOf(client).options, { api: `${daemon.origin}/api` })
    await (scopes === undefined ? client.connect() : client.login({ scopes: scopes as ['rpc'] }))
    return client
  }

  test('reaches guilds and channels with rpc alone, joins and presence', async () => {
    const client = await connected(['rpc'])
    const call = async (cmd: Parameters<Xhayper['request']>[0], args: object = {}) =>
      (await client.request(cmd, args)).data as { guilds: { id: string; name: string }[]; channels: { id: string; name: string }[] }
    const harbour = (await call('GET_GUILDS')).guilds.find(({ name }) => name === 'Harbour')
    const general = (await call('GET_CHANNELS', { guild_id: harbour?.id })).channels.find(({ name }) => name === 'general')
    expect(await call('GET_CHANNEL', { channel_id: general?.id })).toMatchObject({ name: 'general' })
    await client.subscribe('ACTIVITY_JOIN')
    await client.user?.setActivity({ details: 'Mending nets' })
    await isShown('Mending nets')
    await client.destroy()
  })

  test.each(['kill', 'stop'] as const)('is back after a %s', async (how) => {
    const present = async (client: Xhayper, details: string) => client.request('SET_ACTIVITY', { pid: process.pid, activity: { details } })
    await present(await connected(), 'Before')
    await again(how)
    const after = await connected()
    await present(after, 'After')
    await isShown('After')
    await after.destroy()
  })
})

describe.each(LIBRARIES)('the frames of $name', (library: Library) => {
  const exchange = async (code: string): Promise<string> => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: APPLICATION,
      client_secret: SECRET,
      redirect_uri: 'http://127.0.0.1',
    })
    const response = await fetch(daemon.ready.tokenUrl, { method: 'POST', body })
    return ((await response.json()) as { access_token: string }).access_token
  }
  async function connected() {
    const client = await RawClient.open(daemon.socket)
    client.send(frame(OP.HANDSHAKE, Buffer.from(library.handshake(APPLICATION))))
    expect(await client.message()).toMatchObject({ cmd: 'DISPATCH', evt: 'READY', data: { v: 1 } })
    return { client, send: sender(client, library) }
  }

  test('get what the library reads, and show its presence again after a kill and a stop', async () => {
    const first = await connected()
    await library.present(first.send)
    await vi.waitFor(async () => expect((await stateOf(daemon)).presences).toHaveLength(1), SOON)
    await library.play?.(first.send, { applicationId: APPLICATION, exchange })
    for (const how of ['kill', 'stop'] as const) {
      await again(how)
      const { send } = await connected()
      await library.present(send)
      await vi.waitFor(async () => expect((await stateOf(daemon)).presences).toHaveLength(1), SOON)
    }
  })
})

test('a game of the older SDK gets the relationships as events after its sign-in', async () => {
  await fetch(`${daemon.origin}/sandbox/relationships`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'ada', other: 'mary', type: 'friend' }),
  })
  const client = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
  await client.call('SUBSCRIBE', undefined, 'RELATIONSHIP_UPDATE')
  expect((await client.call('GET_RELATIONSHIPS', {})).data).toMatchObject({ relationships: [] })
  await client.call('AUTHENTICATE', {})
  const friends: unknown[] = []
  while (!friends.includes('mary')) {
    const { evt, data } = await client.message()
    expect([evt, data]).toMatchObject(['RELATIONSHIP_UPDATE', { type: 1, presence: { status: expect.any(String) } }])
    friends.push((data as { user: { username: string } }).user.username)
  }
  expect((await client.call('GET_RELATIONSHIPS', {})).data).toMatchObject({
    relationships: expect.arrayContaining([expect.objectContaining({ type: 1 })]),
  })
  client.hangUp()
})

describe('RetroArch of Debian', () => {
  const PROGRAM = '/usr/bin/retroarch'
  beforeEach((context) => context.skip(!existsSync(PROGRAM), 'there is no RetroArch; install the Debian package retroarch.'))

  test('shows its menu', async () => {
    const config = join(at.data, 'retroarch.cfg')
    mkdirSync(at.data, { recursive: true })
    writeFileSync(
      config,
      [
        'video_driver = "null"',
        'audio_driver = "null"',
        'input_driver = "null"',
        'input_joypad_driver = "null"',
        'menu_driver = "rgui"',
        'discord_allow = "true"',
        'pause_nonactive = "false"',
        '',
      ].join('\n'),
    )
    const game = spawn(PROGRAM, ['--menu', '--config', config, '--verbose'], {
      env: { ...cleanEnvironment(), HOME: at.data, XDG_RUNTIME_DIR: at.runtime },
      stdio: 'ignore',
    })
    try {
      await isShown('In-Menu')
    } finally {
      game.kill('SIGKILL')
      await once(game, 'exit')
    }
  })
})
