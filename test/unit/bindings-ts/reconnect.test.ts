/** Reconnects: nothing hangs, nothing is lost or duplicated, and the state is restored in the required order. */
import {
  CallError,
  type ConnectionState,
  ConnectionLostError,
  ServerNotFoundError,
  SallyportClient,
  ServerClosedError,
} from '@sallyport/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, BRIDGE, type FakeOptions, FakeServer, temporaryDirectory } from './fake-server.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

let dir = ''
let cleanup: (() => unknown)[] = []
let clock = new FakeClock()

beforeEach(async () => {
  const temporary = await temporaryDirectory()
  dir = temporary.dir
  cleanup = [temporary.remove]
  clock = new FakeClock()
})

afterEach(async () => {
  for (const undo of cleanup.toReversed()) await undo()
})

async function serve(options: Partial<FakeOptions> = {}): Promise<FakeServer> {
  const server = await new FakeServer({ dir, bridge: BRIDGE, ...options }).start()
  cleanup.push(() => server.kill().catch(() => {}))
  return server
}

function newClient(options: Partial<ConstructorParameters<typeof SallyportClient>[0]> = {}): SallyportClient {
  const ports = { clock, random: () => 0.5, watch: () => () => {} }
  const client = new SallyportClient({ applicationId: '123', runtimeDir: dir, environment: ports, ...options })
  cleanup.push(() => client.close())
  return client
}

async function connected(options: Partial<ConstructorParameters<typeof SallyportClient>[0]> = {}): Promise<SallyportClient> {
  const client = newClient(options)
  await client.connect()
  return client
}

const stateOf = (client: SallyportClient, name: ConnectionState['name']): Promise<ConnectionState> =>
  new Promise((resolve) => {
    const stop = client.onState((state) => {
      if (state.name !== name) return
      stop()
      resolve(state)
    })
    if (client.state.name === name) resolve(client.state)
  })

/** Kills and restarts the server; the client is ready again. */
async function bounce(client: SallyportClient, server: FakeServer, answer?: Answer): Promise<FakeServer> {
  const gone = stateOf(client, 'waiting')
  await server.kill()
  const state = await gone
  if (state.name !== 'waiting') throw new Error('not waiting')
  const next = await serve(answer === undefined ? {} : { answer })
  clock.advance(state.delayMs)
  await client.whenReady()
  return next
}

test('pending calls reject at once when the server exits, and so do calls while disconnected', async () => {
  const server = await serve({ answer: () => 'silence' })
  const client = await connected()
  const calls = Promise.allSettled([client.request('ONE'), client.request('TWO')])
  await server.until(() => server.last.received.length === 2)
  await server.kill()
  for (const outcome of await calls) expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ConnectionLostError) })
  await expect(client.request('THREE')).rejects.toBeInstanceOf(ConnectionLostError)
  expect(client.state).toMatchObject({ name: 'waiting', reason: 'lost' })
})

test('restores everything in order: AUTHORIZE_REQUEST, sign-in, other subscriptions, presence', { tags: ['6-19', '9.1-13'] }, async () => {
  const server = await serve()
  const client = await connected()
  await client.signInSilently()
  await Promise.all([
    client.on('GUILD_STATUS', { guild_id: '7' }, () => {}).active,
    client.on('ACTIVITY_JOIN', () => {}).active,
    client.on('AUTHORIZE_REQUEST', () => {}).active,
  ])
  await client.setActivity({ details: 'first' })
  await client.setActivity({ details: 'second' })
  const next = await bounce(client, server)
  expect(next.commands()).toEqual([
    'SUBSCRIBE AUTHORIZE_REQUEST',
    'AUTHENTICATE',
    'SUBSCRIBE GUILD_STATUS {"guild_id":"7"}',
    'SUBSCRIBE ACTIVITY_JOIN',
    `SET_ACTIVITY {"pid":${process.pid},"activity":{"details":"second"}}`,
  ])
  expect(client.state).toMatchObject({
    name: 'ready',
    restored: { signIn: 'done', activeSubscriptions: 3, refusedSubscriptions: 0, presence: 'done' },
  })
  expect(client.account).toBe('signed-in')
})

test('the subscriptions wait for the sign-in, because they need its scopes', async () => {
  const server = await serve()
  const client = await connected()
  await client.signInSilently()
  await client.on('ACTIVITY_JOIN', () => {}).active
  const held: (() => void)[] = []
  const gone = stateOf(client, 'waiting')
  await server.kill()
  const state = await gone
  const next = await serve({
    answer: (message, peer) => {
      if (message.cmd !== 'AUTHENTICATE') return { data: {} }
      held.push(() => peer.sendFrame(1, { cmd: 'AUTHENTICATE', data: {}, evt: null, nonce: message.nonce }))
      return 'silence'
    },
  })
  clock.advance(state.name === 'waiting' ? state.delayMs : 0)
  await next.until(() => held.length === 1)
  expect(next.commands()).toEqual(['AUTHENTICATE'])
  expect(client.state).toMatchObject({ name: 'connecting', step: 'restoring' })
  // A listener that comes in the middle is not lost.
  const late = client.on('CURRENT_USER_UPDATE', () => {})
  held[0]?.()
  await Promise.all([client.whenReady(), late.active])
  expect(next.commands()).toEqual(['AUTHENTICATE', 'SUBSCRIBE ACTIVITY_JOIN', 'SUBSCRIBE CURRENT_USER_UPDATE'])
})

test('restores a token of the game, which no dump of the client contains', async () => {
  const server = await serve()
  const client = await connected()
  await client.call('AUTHENTICATE', { access_token: 'planted-token' })
  const next = await bounce(client, server)
  expect(next.last.received[0]).toMatchObject({ cmd: 'AUTHENTICATE', args: { access_token: 'planted-token' } })
  const { inspect } = await import('node:util')
  expect(inspect(client, { depth: 20, showHidden: true })).not.toContain('planted-token')
})

test('an updated token replaces the previous one', async () => {
  const server = await serve()
  const client = await connected()
  await client.call('AUTHENTICATE', { access_token: 'first-token' })
  await client.call('UPDATE_TOKEN', { access_token: 'second-token' })
  const next = await bounce(client, server)
  expect(next.last.received[0]).toMatchObject({ cmd: 'AUTHENTICATE', args: { access_token: 'second-token' } })
})

test('a listener receives each event once after any number of reconnects, and a closed one none', { tags: ['9.1-25'] }, async () => {
  let server = await serve()
  const client = await connected()
  const received: string[] = []
  client.on('ACTIVITY_JOIN', ({ secret }) => received.push(`a ${secret}`))
  const second = client.on('ACTIVITY_JOIN', ({ secret }) => received.push(`b ${secret}`))
  await second.active
  expect(server.commands()).toEqual(['SUBSCRIBE ACTIVITY_JOIN'])
  server = await bounce(client, server)
  server = await bounce(client, server)
  expect(server.commands()).toEqual(['SUBSCRIBE ACTIVITY_JOIN'])
  server.last.dispatch('ACTIVITY_JOIN', { secret: '1' })
  await client.request('SYNC')
  expect(received).toEqual(['a 1', 'b 1'])
  second.close()
  server.last.dispatch('ACTIVITY_JOIN', { secret: '2' })
  await client.request('SYNC')
  expect(received).toEqual(['a 1', 'b 1', 'a 2'])
  expect(server.commands()).toEqual(['SUBSCRIBE ACTIVITY_JOIN', 'SYNC', 'SYNC'])
})

test('the last listener unsubscribes; one removed while disconnected is not subscribed again', async () => {
  const server = await serve()
  const client = await connected()
  const join = client.on('ACTIVITY_JOIN', () => {})
  const update = client.on('CURRENT_USER_UPDATE', () => {})
  await Promise.all([join.active, update.active])
  join.close()
  join.close()
  await server.until(() => server.commands().includes('UNSUBSCRIBE ACTIVITY_JOIN'))
  const gone = stateOf(client, 'waiting')
  await server.kill()
  await gone
  update.close()
  const next = await serve()
  clock.advance(10_000)
  await client.whenReady()
  await client.request('SYNC')
  expect(next.commands()).toEqual(['SYNC'])
})

test('a cleared or refused presence is not restored', async () => {
  let server = await serve()
  const client = await connected()
  await client.setActivity({ details: 'kept' })
  server.answer = () => ({ evt: 'ERROR', data: { code: 4000, message: 'too long' } })
  await expect(client.setActivity({ details: 'refused' })).rejects.toBeInstanceOf(CallError)
  server = await bounce(client, server)
  expect(server.last.received.map(({ args }) => args['activity'])).toEqual([{ details: 'kept' }])
  await client.clearActivity()
  server = await bounce(client, server)
  expect(server.commands()).toEqual([])
})

test('a presence whose response was lost is restored', async () => {
  const server = await serve({ answer: () => 'silence' })
  const client = await connected()
  const lost = client.setActivity({ details: 'in flight' })
  await server.until(() => server.last.received.length === 1)
  const failure = expect(lost).rejects.toBeInstanceOf(ConnectionLostError)
  const next = await bounce(client, server)
  await failure
  expect(next.last.received.map(({ args }) => args['activity'])).toEqual([{ details: 'in flight' }])
})

test('TOKEN_REVOKED is an event and a state, and the old sign-in is not retried', async () => {
  const server = await serve()
  const client = await connected()
  await client.signInSilently()
  const accounts: string[] = []
  client.onAccount((account) => accounts.push(account))
  const received = new Promise((resolve) => client.on('TOKEN_REVOKED', resolve))
  server.last.dispatch('TOKEN_REVOKED', { application_id: '123', reason: 'revoked by the player' })
  expect(await received).toMatchObject({ reason: 'revoked by the player' })
  expect(server.commands()).toEqual(['AUTHENTICATE'])
  const next = await bounce(client, server)
  expect(next.commands()).toEqual([])
  expect(accounts).toEqual(['revoked'])
  await client.signInSilently()
  expect(accounts).toEqual(['revoked', 'signed-in'])
})

test('CLOSE has a reason, and 4003 means that the permission was revoked', async () => {
  const server = await serve()
  const client = await connected()
  await client.signInSilently()
  const gone = stateOf(client, 'waiting')
  server.last.sendFrame(2, { code: 4003, message: 'Token revoked' })
  expect(await gone).toMatchObject({ reason: 'lost', error: expect.any(ServerClosedError) })
  expect(client.account).toBe('revoked')
})

test('a refused sign-in is deleted; one that could not be checked is retried, and then the refused subscriptions too', async () => {
  let server = await serve()
  const client = await connected()
  await client.signInSilently()
  await client.on('GUILD_STATUS', { guild_id: '7' }, () => {}).active
  let platformIsBack = false
  const answer: Answer = ({ cmd }) => {
    if (platformIsBack) return { data: {} }
    return cmd === 'AUTHENTICATE'
      ? { evt: 'ERROR', data: { code: 1001, message: 'platform away' } }
      : { evt: 'ERROR', data: { code: 4006, message: 'scope' } }
  }
  server = await bounce(client, server, answer)
  expect(client.state).toMatchObject({ name: 'ready', restored: { signIn: 'failed', activeSubscriptions: 0, refusedSubscriptions: 1 } })
  expect(client.account).toBe('signed-out')
  platformIsBack = true
  clock.advance(5_000)
  await server.until(() => server.commands().filter((command) => command.startsWith('SUBSCRIBE')).length === 2)
  expect(server.commands()).toEqual([
    'AUTHENTICATE',
    'SUBSCRIBE GUILD_STATUS {"guild_id":"7"}',
    'AUTHENTICATE',
    'SUBSCRIBE GUILD_STATUS {"guild_id":"7"}',
  ])
  expect(client.account).toBe('signed-in')

  server = await bounce(client, server, () => ({ evt: 'ERROR', data: { code: 4009, message: 'no such grant' } }))
  expect(client.account).toBe('signed-out')
  server = await bounce(client, server)
  expect(server.commands()).toEqual(['SUBSCRIBE GUILD_STATUS {"guild_id":"7"}'])
})

test('a server that exits during the restore causes another reconnect', async () => {
  const server = await serve()
  const client = await connected()
  await client.signInSilently()
  const gone = stateOf(client, 'waiting')
  await server.kill()
  await gone
  const dying = await serve({ answer: () => 'silence' })
  clock.advance(1_000)
  await dying.until(() => dying.peers.length === 1 && dying.last.received.length === 1)
  const goneAgain = stateOf(client, 'waiting')
  await dying.kill()
  await goneAgain
  const last = await serve()
  clock.advance(1_000)
  await client.whenReady()
  expect(last.commands()).toEqual(['AUTHENTICATE'])
})

test('without reconnect a loss ends offline', async () => {
  const server = await serve()
  const client = await connected({ reconnect: false })
  const gone = stateOf(client, 'offline')
  await server.kill()
  await gone
  await expect(client.whenReady()).rejects.toBeInstanceOf(ConnectionLostError)
  expect(clock.pending).toBe(0)
})

test('connect ends after its timeout, or finds a server that starts in time', async () => {
  const client = newClient()
  await expect(client.connect()).rejects.toBeInstanceOf(ServerNotFoundError)
  expect(client.state.name).toBe('offline')
  const waiting = stateOf(client, 'waiting')
  const patient = client.connect({ timeoutMs: 30_000 })
  await waiting
  await serve()
  clock.advance(1_000)
  expect(await patient).toMatchObject({ bridge: BRIDGE })
})

test('a connect whose signal is aborted closes the client', async () => {
  const client = newClient()
  const giveUp = new AbortController()
  const waiting = stateOf(client, 'waiting')
  const connecting = client.connect({ timeoutMs: 30_000, signal: giveUp.signal })
  await waiting
  giveUp.abort(new Error('enough'))
  await expect(connecting).rejects.toThrow('enough')
  expect(client.state.name).toBe('closed')
  expect(clock.pending).toBe(0)
})

test('a restarted server is found in real time too', async () => {
  const server = await serve()
  const client = await SallyportClient.connect({ applicationId: '123', runtimeDir: dir })
  cleanup.push(() => client.close())
  const waiting = stateOf(client, 'waiting')
  await server.kill()
  await waiting
  const next = await serve()
  await client.whenReady()
  expect(next.peers).toHaveLength(1)
})

test('a client that is closed during the handshake leaves nothing open', async () => {
  const server = await serve({ greet: 'silence' })
  const client = newClient()
  const connecting = expect(client.connect({ timeoutMs: 30_000 })).rejects.toBeInstanceOf(ConnectionLostError)
  await server.until(() => server.peers.length === 1)
  await client.close()
  await connecting
  await server.until(() => server.last.socket.destroyed)
  expect(clock.pending).toBe(0)
})
