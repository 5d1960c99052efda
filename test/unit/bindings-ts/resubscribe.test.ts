/** Subscriptions and presence survive reconnects: each event of the table, changes of listeners meanwhile, and transient errors. */
import { ConnectionLostError, type SallyportClient, type Subscription } from '@sallyport/client'
import { ERRORS, EVENTS, type EventName } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryServer, quiet } from './memory-server.ts'

let server: MemoryServer
let client: SallyportClient

beforeEach(async () => {
  server = new MemoryServer()
  client = await server.client()
})
afterEach(() => client.close())

const subscribable = Object.values(EVENTS).filter(({ delivery }) => delivery === 'subscription')
const SAMPLES: Readonly<Record<string, unknown>> = { pid: 7 }

/** Valid arguments for the row: every id is 7. */
function argsOf(row: (typeof subscribable)[number]): Record<string, unknown> {
  for (const names of [[], ['guild_id'], ['channel_id'], ['pid'], ['lobby_id']]) {
    const args = Object.fromEntries(names.map((name) => [name, SAMPLES[name] ?? '7']))
    if (row.args.safeParse(args).success) return args
  }
  throw new Error(`no arguments are known for ${row.name}`)
}

const on = (event: string, args: object, listener: (data: unknown) => void): Subscription =>
  client.on(event as EventName, args as never, listener as never)

test.each(subscribable.map((row) => [row.name, row] as const))(
  '%s is subscribed again after a restart of the daemon',
  async (name, row) => {
    const args = argsOf(row)
    const received: unknown[] = []
    const subscription = on(name, args, (data) => received.push(data))
    await subscription.active
    server.last.dispatch(name, args, { ...args, round: 1 })
    await quiet()
    await server.vanish()
    expect(subscription.status).toBe('waiting')
    await server.comeBack()
    expect(client.state).toMatchObject({ name: 'ready', restored: { activeSubscriptions: 1, refusedSubscriptions: 0 } })
    expect(server.last.asked).toMatchObject([{ cmd: 'SUBSCRIBE', evt: name, args }])
    server.last.dispatch(name, args, { ...args, round: 2 })
    await quiet()
    expect(received).toEqual([
      { ...args, round: 1 },
      { ...args, round: 2 },
    ])
    expect(subscription.status).toBe('active')
  },
)

test('all of them at once: each is subscribed once, AUTHORIZE_REQUEST before anything else, signing in included', async () => {
  await client.signInSilently()
  for (const row of subscribable.toReversed()) on(row.name, argsOf(row), () => {})
  await server.vanish()
  await server.comeBack()
  const [first, second, ...rest] = server.asked
  expect([first, second]).toEqual(['SUBSCRIBE AUTHORIZE_REQUEST', 'AUTHENTICATE {"user_id":"42"}'])
  expect(rest.map((line) => line.split(' ')[1] ?? '').toSorted()).toEqual(
    subscribable
      .map(({ name }) => name as string)
      .filter((name) => name !== 'AUTHORIZE_REQUEST')
      .toSorted(),
  )
})

test('the request to link the account arrives although the sign-in is pending', async () => {
  await client.signInSilently()
  let asked = 0
  const subscription = client.onAuthorizeRequest(() => asked++)
  await subscription.active
  await server.vanish()
  server.holdsAnswers = true
  await server.comeBack()
  expect(server.asked).toEqual(['SUBSCRIBE AUTHORIZE_REQUEST', 'AUTHENTICATE {"user_id":"42"}'])
  server.last.answer(1)
  await quiet()
  expect([client.state.name, subscription.status]).toEqual(['connecting', 'active'])
  server.last.dispatch('AUTHORIZE_REQUEST', {}, null)
  await quiet()
  expect(asked).toBe(1)
})

test('onAuthorizeRequest passes no data, and calls each listener once', async () => {
  const received: unknown[][] = []
  const first = client.onAuthorizeRequest((...args) => received.push(args))
  await client.onAuthorizeRequest((...args) => received.push(args)).active
  server.last.dispatch('AUTHORIZE_REQUEST', {}, null)
  await quiet()
  expect(received).toEqual([[], []])
  first.close()
  server.last.dispatch('AUTHORIZE_REQUEST', {}, null)
  await quiet()
  expect(received).toHaveLength(3)
})

test('a listener added while disconnected receives events, a removed one does not', async () => {
  const received: string[] = []
  const leaving = on('ACTIVITY_JOIN', {}, () => received.push('leaving'))
  await leaving.active
  await server.vanish()
  const coming = on('ACTIVITY_JOIN', {}, () => received.push('coming'))
  const fresh = on('ACTIVITY_SPECTATE', {}, () => received.push('fresh'))
  leaving.close()
  expect([leaving.status, coming.status, fresh.status]).toEqual(['closed', 'waiting', 'waiting'])
  await server.comeBack()
  expect(server.asked).toEqual(['SUBSCRIBE ACTIVITY_JOIN', 'SUBSCRIBE ACTIVITY_SPECTATE'])
  for (const event of ['ACTIVITY_JOIN', 'ACTIVITY_SPECTATE']) server.last.dispatch(event, {}, { secret: 's' })
  await quiet()
  expect(received).toEqual(['coming', 'fresh'])
})

test('the last listener removed during the restore unsubscribes on that connection', async () => {
  await client.signInSilently()
  const early = client.onAuthorizeRequest(() => {})
  const late = on('ACTIVITY_JOIN', {}, () => {})
  await Promise.all([early.active, late.active])
  await server.vanish()
  server.holdsAnswers = true
  await server.comeBack()
  early.close()
  late.close()
  await quiet()
  expect(server.asked).toEqual(['SUBSCRIBE AUTHORIZE_REQUEST', 'AUTHENTICATE {"user_id":"42"}', 'UNSUBSCRIBE AUTHORIZE_REQUEST'])
  server.last.isHeld = false
  server.last.answer()
  await client.whenReady()
  await quiet()
  expect([...server.last.subscribed]).toEqual([])
  expect(client.state).toMatchObject({ restored: { activeSubscriptions: 0, refusedSubscriptions: 0 } })
})

test('a subscription that was active and is refused after the reconnect is reported, and retried until active', async () => {
  const guild = on('GUILD_STATUS', { guild_id: '7' }, () => {})
  const channel = on('MESSAGE_CREATE', { channel_id: '8' }, () => {})
  await Promise.all([guild.active, channel.active])
  await server.vanish()
  server.judge = ({ evt }) => (evt === 'GUILD_STATUS' ? ERRORS.INVALID_GUILD.code : undefined)
  await server.comeBack()
  expect(client.state).toMatchObject({ name: 'ready', restored: { activeSubscriptions: 1, refusedSubscriptions: 1 } })
  expect(guild).toMatchObject({ status: 'refused', error: { errorName: 'INVALID_GUILD' } })
  expect(channel).toMatchObject({ status: 'active', error: undefined })
  await server.pass(1_000)
  expect(guild.status).toBe('refused')
  server.judge = () => undefined
  await server.pass(2_000)
  expect(guild).toMatchObject({ status: 'active', error: undefined })
  expect(server.asked.filter((line) => line.startsWith('SUBSCRIBE GUILD_STATUS'))).toHaveLength(3)
  expect(server.clock.pending).toBe(0)
})

test.each([
  { code: ERRORS.SERVICE_UNAVAILABLE.code, again: true, why: 'the server says that it may pass' },
  { code: ERRORS.INVALID_GUILD.code, again: false, why: 'it was never in force' },
  { code: ERRORS.INVALID_PERMISSIONS.code, again: false, why: 'only signing in helps' },
])('a first refusal with $code is retried: $again, because $why', async ({ code, again }) => {
  server.judge = ({ cmd }) => (cmd === 'SUBSCRIBE' ? code : undefined)
  const guild = on('GUILD_STATUS', { guild_id: '7' }, () => {})
  await expect(guild.active).rejects.toMatchObject({ code })
  await quiet()
  expect(guild.status).toBe('refused')
  server.judge = () => undefined
  await server.pass(60_000)
  expect(guild.status).toBe(again ? 'active' : 'refused')
  await client.signInSilently()
  await quiet()
  expect(guild.status).toBe('active')
})

test('a refused one is retried with growing delays, and not without listeners', async () => {
  server.judge = ({ cmd }) => (cmd === 'SUBSCRIBE' ? ERRORS.SERVICE_UNAVAILABLE.code : undefined)
  const join = on('ACTIVITY_JOIN', {}, () => {})
  await quiet()
  const times: number[] = []
  for (let second = 1; second <= 300; second += 1) {
    const before = server.last.asked.length
    await server.pass(1_000)
    if (server.last.asked.length > before) times.push(second)
  }
  const gaps = times.map((time, index) => time - (times[index - 1] ?? 0))
  expect(gaps.toSorted((one, other) => one - other)).toEqual(gaps)
  expect(times.length).toBeLessThan(15)
  expect(gaps.at(-1)).toBeLessThanOrEqual(60)
  join.close()
  await server.pass(120_000)
  expect(server.clock.pending).toBe(0)
})

test('a response at the end of its connection does not affect the next one', async () => {
  server.last.isHeld = true
  const join = on('ACTIVITY_JOIN', {}, () => {})
  await quiet()
  server.last.answer()
  await server.vanish()
  expect(join.status).toBe('waiting')
  await server.comeBack()
  expect([...server.last.subscribed]).toEqual(['ACTIVITY_JOIN {}'])
  expect(join.status).toBe('active')
})

test('a presence set or cleared while disconnected is set after the reconnect', async () => {
  await client.setActivity({ details: 'before' })
  await server.vanish()
  await expect(client.setActivity({ details: 'meanwhile' })).resolves.toBeUndefined()
  await server.comeBack()
  expect(server.last.presence).toEqual({ details: 'meanwhile' })
  await server.vanish()
  await client.clearActivity()
  await server.comeBack()
  expect(server.asked).toEqual([])
})

test('a presence cleared during the restore stays cleared', async () => {
  await client.setActivity({ details: 'before' })
  await server.vanish()
  server.holdsAnswers = true
  await server.comeBack()
  expect(client.state).toMatchObject({ name: 'connecting', step: 'restoring' })
  await client.clearActivity()
  server.last.isHeld = false
  server.last.answer()
  await quiet()
  expect(server.last.asked.map(({ args }) => args['activity'])).toEqual([{ details: 'before' }, undefined])
  expect(server.last.presence).toBeUndefined()
})

test('the server, the restored and the missing state are readable at any time', async () => {
  await client.setActivity({ details: 'here' })
  const join = on('ACTIVITY_JOIN', {}, () => {})
  await join.active
  expect(client.server).toMatchObject({ slot: 0, bridge: { name: 'sallyport' } })
  const pending = expect(client.call('GET_BRIDGE_STATUS')).resolves.toBeDefined()
  await pending
  server.last.isHeld = true
  const lost = expect(client.call('GET_BRIDGE_STATUS')).rejects.toBeInstanceOf(ConnectionLostError)
  await server.vanish()
  await lost
  expect(client.server).toBeUndefined()
  expect(client.state).toMatchObject({ name: 'waiting', reason: 'lost' })
  await server.comeBack()
  expect(client.state).toMatchObject({
    server: { slot: 0 },
    restored: { signIn: 'none', activeSubscriptions: 1, refusedSubscriptions: 0, presence: 'done' },
  })
  await client.close()
  expect([client.state.name, join.status]).toEqual(['closed', 'closed'])
})

test('a slow subscription does not delay the game, and is retried if refused late', async () => {
  const guild = on('GUILD_STATUS', { guild_id: '7' }, () => {})
  const join = on('ACTIVITY_JOIN', {}, () => {})
  await Promise.all([guild.active, join.active])
  await server.vanish()
  server.holdsAnswers = true
  await server.comeBack()
  server.judge = ({ evt }) => (evt === 'GUILD_STATUS' ? ERRORS.INVALID_GUILD.code : undefined)
  expect(client.state).toMatchObject({ name: 'connecting', step: 'restoring' })
  await server.pass(1_000)
  expect(client.state).toMatchObject({ name: 'ready', restored: { activeSubscriptions: 0, refusedSubscriptions: 0 } })
  server.last.isHeld = false
  server.last.answer()
  await quiet()
  expect([guild.status, join.status]).toEqual(['refused', 'active'])
  server.judge = () => undefined
  await server.pass(2_000)
  expect(guild.status).toBe('active')
  expect(server.clock.pending).toBe(0)
})
