import { beforeEach, describe, expect, test } from 'vitest'
import type { BridgeError } from '@sallyport/core/errors'
import { Canceller } from '@sallyport/core/cancel'
import { Connection } from '../../../../../daemon/src/platform/desktop/connection.ts'
import { FakeClock, settled } from '../../../../support/fake-clock.ts'
import { frame, head, jsonOf, OP } from '../../../../support/frames.ts'
import { MemoryClient, type MemoryPeer } from '../../../../support/memory-client.ts'

const APPLICATION = '1234567890'

describe('a connection to the desktop client', () => {
  let clock: FakeClock
  let client: MemoryClient
  let connection: Connection
  let peer: MemoryPeer
  let events: [string, unknown][]
  let standings: boolean[]
  let closed: string[]

  const begin = async (): Promise<void> => {
    await client.dialling.dial(
      { path: client.path, file: '1' },
      (link) => (connection = new Connection(link, { applicationId: APPLICATION, clock })),
    )
    peer = client.last
  }
  const open = async (): Promise<void> => {
    await begin()
    await connection.ready
    connection.use({
      onEvent: (name, data) => events.push([name, data]),
      onStanding: () => standings.push(connection.isPresenceOnly),
      onClosed: (reason) => closed.push(reason),
    })
  }

  beforeEach(() => {
    clock = new FakeClock()
    client = new MemoryClient()
    events = []
    standings = []
    closed = []
  })

  test('says hello with a contract, and knows READY by its data', async () => {
    await begin()
    expect(jsonOf(peer.others[0]?.payload ?? Buffer.alloc(0))).toEqual({ v: 1, client_id: APPLICATION, contract: expect.any(String) })
    expect(await connection.ready).toMatchObject({ user: { username: 'ann' } })
  })

  test('gives each call its own answer, or refusal with its very code', async () => {
    client.answer = ({ args }) => (args.bad === true ? { error: { code: 4999, message: 'no such thing' } } : { data: { echo: args.n } })
    await open()
    const answers = await Promise.all([connection.call('A', { n: 1 }), connection.call('B', { n: 2 })])
    expect(answers).toEqual([{ echo: 1 }, { echo: 2 }])
    const refused = connection.call('C', { bad: true })
    await expect(refused).rejects.toMatchObject({ error: 'UNKNOWN_ERROR', message: 'no such thing' })
    expect(await refused.catch((failure: unknown) => (failure as BridgeError).toWire())).toEqual({ code: 4999, message: 'no such thing' })
  })

  test('withholds a refusal that repeats the secret of its call', async () => {
    client.answer = () => ({ error: { code: 4009, message: 'the token opaque-secret is bad' } })
    await open()
    const failure = (await connection
      .call('AUTHENTICATE', { access_token: 'opaque-secret' }, { secret: 'opaque-secret' })
      .catch((one: unknown) => one)) as BridgeError
    expect(failure.error).toBe('INVALID_TOKEN')
    expect(failure.message).not.toContain('opaque-secret')
  })

  test('ignores answers with a nonce that it did not give', async () => {
    client.answer = () => undefined
    await open()
    const answer = connection.call('A', {})
    peer.send({ cmd: 'A', data: 'wrong', evt: null, nonce: 'nobody sent this' })
    peer.send({ cmd: 'A', data: 'wrong', evt: null })
    peer.send({ cmd: 'A', data: 'right', evt: null, nonce: peer.calls[0]?.nonce })
    expect(await answer).toBe('right')
  })

  test('keeps nothing of a call that nobody waits for any more, or that takes too long', async () => {
    client.answer = () => undefined
    await open()
    const stop = new Canceller()
    const given = connection.call('A', {}, { stop })
    stop.stop()
    await expect(given).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const late = connection.call('B', {}, { withinMs: 100 })
    clock.advance(100)
    await expect(late).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(clock.pending).toBe(0)
    peer.send({ cmd: 'A', data: 1, evt: null, nonce: peer.calls[0]?.nonce })
    expect(connection.isOpen).toBe(true)
  })

  test('sends nothing for a caller that gave up before', async () => {
    client.answer = () => undefined
    await open()
    const stop = new Canceller()
    stop.stop()
    await expect(connection.call('A', {}, { stop })).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect(peer.calls).toEqual([])
  })

  test('takes one for a server of presence that answers nothing else for four seconds, until it does', async () => {
    client.answer = ({ cmd }) => (cmd === 'SET_ACTIVITY' ? { data: {} } : undefined)
    await open()
    await connection.call('SET_ACTIVITY', {})
    const stop = new Canceller()
    const soon = expect(connection.call('A', {}, { stop })).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    clock.advance(3999)
    stop.stop()
    await soon
    expect(standings).toEqual([])
    const waiting = expect(connection.call('B', {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const late = expect(connection.call('C', {}, { withinMs: 5000 })).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    clock.advance(5000)
    await Promise.all([waiting, late])
    expect(standings).toEqual([true])
    await connection.call('SET_ACTIVITY', {})
    peer.send({ cmd: 'C', data: null, evt: null, nonce: 'nobody sent this' })
    peer.send({ cmd: 'C', data: null, evt: null, nonce: '99' })
    expect(standings).toEqual([true])
    peer.send({ cmd: 'C', data: null, evt: null, nonce: peer.calls.find(({ cmd }) => cmd === 'C')?.nonce })
    expect(standings).toEqual([true, false])
  })

  test.each([
    ['answers', () => peer.send({ cmd: 'A', data: null, evt: null, nonce: peer.calls[0]?.nonce })],
    ['tells events', () => peer.tell('AUTHORIZE_REQUEST', null)],
  ])('never takes one that %s for a server of presence', async (_name, shows) => {
    client.answer = () => undefined
    await open()
    const first = connection.call('A', {}, { withinMs: 20_000 }).catch(() => {})
    shows()
    const late = connection.call('B', {}, { withinMs: 20_000 }).catch(() => {})
    clock.advance(20_000)
    await Promise.all([first, late])
    expect(standings).toEqual([])
  })

  test('lets only so many calls wait', async () => {
    client.answer = () => undefined
    await open()
    const waiting = Array.from({ length: 4096 }, () => connection.call('A', {}))
    await expect(connection.call('A', {})).rejects.toMatchObject({ error: 'RATE_LIMITED' })
    peer.receiver?.onClose()
    const outcomes = await Promise.allSettled(waiting)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    await expect(waiting[0]).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('try again') })
  })

  test('does not send what the client cannot take', async () => {
    await open()
    await expect(connection.call('A', { text: 'x'.repeat(65_536) })).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
    expect(peer.calls).toEqual([])
  })

  test('echoes a ping', async () => {
    await open()
    peer.bytes(frame(OP.PING, 'are you there'))
    expect(peer.others.at(-1)).toEqual({ opcode: OP.PONG, payload: Buffer.from('are you there') })
  })

  test.each([
    ['declares a gigabyte', head(OP.FRAME, 1 << 30)],
    ['is no JSON', frame(OP.FRAME, 'HTTP/1.1 400 Bad Request')],
    ['is a JSON text', frame(OP.FRAME, '"READY"')],
    [
      'is nested as no message is',
      frame(OP.FRAME, `{"cmd":"DISPATCH","evt":"ACTIVITY_JOIN","data":${'['.repeat(9000)}${']'.repeat(9000)}}`),
    ],
    ['has an opcode that there is not', frame(77, {})],
    ['is a handshake', frame(OP.HANDSHAKE, { v: 1 })],
    ['says goodbye', frame(OP.CLOSE, { code: 4003, message: 'secret things' })],
  ])('is over when a frame %s', async (_name, bytes) => {
    await open()
    const waiting = connection.call('A', {})
    peer.bytes(bytes)
    await expect(waiting).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(peer.isCutOff).toBe(true)
    expect(closed).toHaveLength(1)
    expect(closed[0]).not.toContain('secret')
    peer.tell('AUTHORIZE_REQUEST', null)
    expect(events).toEqual([])
  })

  test('rejects READY when the other side ends instead', async () => {
    client.ready = undefined
    await begin()
    peer.tell('AUTHORIZE_REQUEST', null)
    peer.receiver?.onEnd()
    await expect(connection.ready).rejects.toThrow('ended')
  })

  test('gives up a client that does not read', async () => {
    await open()
    peer.isStuck = true
    for (let count = 0; count < 5000 && connection.isOpen; count++) peer.bytes(frame(OP.PING, 'x'.repeat(4000)))
    expect(closed).toEqual(['It stopped reading.'])
    expect(peer.pendingBytes).toBeLessThan(5 * 1024 * 1024)
  })

  test('bears brackets in a text', async () => {
    await open()
    const text = '{[\\"'.repeat(5000)
    peer.tell('MESSAGE_CREATE', { text })
    expect(events).toEqual([['MESSAGE_CREATE', { text }]])
  })

  test.each([
    ['pings', () => frame(OP.PING, 'x'), 600],
    ['answers to nobody', () => frame(OP.FRAME, { cmd: 'A', nonce: 'nobody sent this' }), 600],
    ['large events', () => frame(OP.FRAME, { cmd: 'DISPATCH', evt: 'MESSAGE_CREATE', data: 'x'.repeat(900_000) }), 12],
  ])('slows a flood of %s down', async (_name, bytes, count) => {
    await open()
    for (let sent = 0; sent < count; sent++) peer.bytes(bytes())
    expect(peer.isPaused).toBe(true)
    clock.advance(1000)
    expect(peer.isPaused).toBe(false)
  })

  test('a clock that is set back slows nobody down for longer', async () => {
    await open()
    peer.tell('SPEAKING_START', {})
    clock.advance(-3_600_000)
    for (let count = 0; count < 500; count++) peer.tell('SPEAKING_START', {})
    expect(peer.isPaused).toBe(true)
    clock.advance(1000)
    expect(peer.isPaused).toBe(false)
  })

  test('slows a flood of events down, and takes the rest of it later', async () => {
    await open()
    for (let count = 0; count < 498; count++) peer.tell('SPEAKING_START', { user_id: '1' })
    expect(peer.isPaused).toBe(false)
    for (let count = 0; count < 40; count++) peer.tell('SPEAKING_START', { user_id: '1' })
    expect(peer.log).toEqual(['pause'])
    expect(clock.pending).toBe(1)
    clock.advance(1000)
    expect(peer.log).toEqual(['pause', 'resume'])
    peer.tell('SPEAKING_STOP', { user_id: '1' })
    await settled()
    expect(events).toHaveLength(539)
    connection.close()
    expect(clock.pending).toBe(0)
  })
})
