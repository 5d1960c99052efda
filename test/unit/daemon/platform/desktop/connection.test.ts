import { beforeEach, describe, expect, test } from 'vitest'
import type { BridgeError } from '@sallyport/core/errors'
import { Canceller } from '@sallyport/core/cancel'
import { ClientConnection } from '#daemon/src/platform/desktop/connection.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { frame, head, jsonOf, OP } from '#test/support/frames.ts'
import { MemoryClient, type MemoryPeer } from '#test/support/memory-client.ts'

const APPLICATION = '1234567890'

describe('a connection to the desktop client', () => {
  let clock: FakeClock
  let client: MemoryClient
  let connection: ClientConnection
  let peer: MemoryPeer
  let events: [string, unknown][]
  let standings: boolean[]
  let closed: string[]

  const begin = async (): Promise<void> => {
    await client.dialer.connect(
      { path: client.path, file: '1' },
      (channel) => (connection = new ClientConnection(channel, { applicationId: APPLICATION, clock })),
    )
    peer = client.last
  }
  const open = async (): Promise<void> => {
    await begin()
    await connection.ready
    connection.setListener({
      onEvent: (name, data) => events.push([name, data]),
      onCapabilityChange: () => standings.push(connection.isPresenceOnly),
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

  test('sends a handshake with a contract, and returns the data of READY', async () => {
    await begin()
    expect(jsonOf(peer.others[0]?.payload ?? Buffer.alloc(0))).toEqual({ v: 1, client_id: APPLICATION, contract: expect.any(String) })
    expect(await connection.ready).toMatchObject({ user: { username: 'ann' } })
  })

  test('returns to each call its own response, or its error with the same code', async () => {
    client.answer = ({ args }) => (args.bad === true ? { error: { code: 4999, message: 'no such thing' } } : { data: { echo: args.n } })
    await open()
    const answers = await Promise.all([connection.call('A', { n: 1 }), connection.call('B', { n: 2 })])
    expect(answers).toEqual([{ echo: 1 }, { echo: 2 }])
    const refused = connection.call('C', { bad: true })
    await expect(refused).rejects.toMatchObject({ error: 'UNKNOWN_ERROR', message: 'no such thing' })
    expect(await refused.catch((failure: unknown) => (failure as BridgeError).toWire())).toEqual({ code: 4999, message: 'no such thing' })
  })

  test('withholds an error message that contains the secret of the call', async () => {
    client.answer = () => ({ error: { code: 4009, message: 'the token opaque-secret is bad' } })
    await open()
    const failure = (await connection
      .call('AUTHENTICATE', { access_token: 'opaque-secret' }, { secret: 'opaque-secret' })
      .catch((one: unknown) => one)) as BridgeError
    expect(failure.error).toBe('INVALID_TOKEN')
    expect(failure.message).not.toContain('opaque-secret')
  })

  test('ignores responses with an unknown nonce', async () => {
    client.answer = () => undefined
    await open()
    const answer = connection.call('A', {})
    peer.send({ cmd: 'A', data: 'wrong', evt: null, nonce: 'unknown nonce' })
    peer.send({ cmd: 'A', data: 'wrong', evt: null })
    peer.send({ cmd: 'A', data: 'right', evt: null, nonce: peer.calls[0]?.nonce })
    expect(await answer).toBe('right')
  })

  test('accepts a nonce that comes back as a number', async () => {
    client.answer = () => undefined
    await open()
    const answer = connection.call('A', {})
    peer.send({ cmd: 'A', data: 'right', evt: null, nonce: Number(peer.calls[0]?.nonce) })
    connection.close()
    expect(await answer).toBe('right')
  })

  test.each([
    ['no data', undefined],
    ['an empty message', { code: 4999, message: '' }],
    ['a message and a code of other types', { code: '4999', message: 7 }],
  ])('says that the client gave no reason when an error has %s', async (_name, data) => {
    client.answer = () => undefined
    await open()
    const refused = connection.call('A', {})
    peer.send({ cmd: 'A', data, evt: 'ERROR', nonce: peer.calls[0]?.nonce })
    await expect(refused).rejects.toMatchObject({
      error: 'UNKNOWN_ERROR',
      message: 'The desktop client rejected the call without a reason.',
    })
  })

  test('keeps no state of a cancelled or timed-out call', async () => {
    client.answer = () => undefined
    await open()
    const stop = new Canceller()
    const given = connection.call('A', {}, { signal: stop })
    stop.cancel()
    await expect(given).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const late = connection.call('B', {}, { timeoutMs: 100 })
    clock.advance(100)
    await expect(late).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(clock.pending).toBe(0)
    peer.send({ cmd: 'A', data: 1, evt: null, nonce: peer.calls[0]?.nonce })
    expect(connection.isOpen).toBe(true)
  })

  test('sends nothing for a call that was cancelled before', async () => {
    client.answer = () => undefined
    await open()
    const stop = new Canceller()
    stop.cancel()
    await expect(connection.call('A', {}, { signal: stop })).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect(peer.calls).toEqual([])
  })

  test('treats a server without other responses for four seconds as presence-only, until it responds', async () => {
    client.answer = ({ cmd }) => (cmd === 'SET_ACTIVITY' ? { data: {} } : undefined)
    await open()
    await connection.call('SET_ACTIVITY', {})
    const stop = new Canceller()
    const soon = expect(connection.call('A', {}, { signal: stop })).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    clock.advance(3999)
    stop.cancel()
    await soon
    expect(standings).toEqual([])
    const waiting = expect(connection.call('B', {})).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    const late = expect(connection.call('C', {}, { timeoutMs: 5000 })).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    clock.advance(5000)
    await Promise.all([waiting, late])
    expect(standings).toEqual([true])
    await connection.call('SET_ACTIVITY', {})
    peer.send({ cmd: 'C', data: null, evt: null, nonce: 'unknown nonce' })
    peer.send({ cmd: 'C', data: null, evt: null, nonce: '99' })
    expect(standings).toEqual([true])
    peer.send({ cmd: 'C', data: null, evt: null, nonce: peer.calls.find(({ cmd }) => cmd === 'C')?.nonce })
    expect(standings).toEqual([true, false])
  })

  test.each([
    ['responds', () => peer.send({ cmd: 'A', data: null, evt: null, nonce: peer.calls[0]?.nonce })],
    ['sends events', () => peer.sendEvent('AUTHORIZE_REQUEST', null)],
  ])('never treats a server that %s as presence-only', async (_name, shows) => {
    client.answer = () => undefined
    await open()
    const first = connection.call('A', {}, { timeoutMs: 20_000 }).catch(() => {})
    shows()
    const late = connection.call('B', {}, { timeoutMs: 20_000 }).catch(() => {})
    clock.advance(20_000)
    await Promise.all([first, late])
    expect(standings).toEqual([])
  })

  test('limits the pending calls', async () => {
    client.answer = () => undefined
    await open()
    const waiting = Array.from({ length: 4096 }, () => connection.call('A', {}))
    await expect(connection.call('A', {})).rejects.toMatchObject({ error: 'RATE_LIMITED' })
    peer.receiver?.onClose()
    const outcomes = await Promise.allSettled(waiting)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    await expect(waiting[0]).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('retry') })
  })

  test('does not send payloads over the limit of the client', async () => {
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
  ])('ends when a frame %s', async (_name, bytes) => {
    await open()
    const waiting = connection.call('A', {})
    peer.bytes(bytes)
    await expect(waiting).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(peer.isCutOff).toBe(true)
    expect(closed).toHaveLength(1)
    expect(closed[0]).not.toContain('secret')
    peer.sendEvent('AUTHORIZE_REQUEST', null)
    expect(events).toEqual([])
  })

  test('rejects READY when the client ends the connection', async () => {
    client.ready = undefined
    await begin()
    peer.sendEvent('AUTHORIZE_REQUEST', null)
    peer.receiver?.onEnd()
    await expect(connection.ready).rejects.toThrow('ended')
  })

  test('disconnects from a client that does not read', async () => {
    await open()
    peer.isStuck = true
    for (let count = 0; count < 5000 && connection.isOpen; count++) peer.bytes(frame(OP.PING, 'x'.repeat(4000)))
    expect(closed).toEqual(['The desktop client stopped reading.'])
    expect(peer.pendingBytes).toBeLessThan(5 * 1024 * 1024)
  })

  test('accepts brackets in strings', async () => {
    await open()
    const text = '{[\\"'.repeat(5000)
    peer.sendEvent('MESSAGE_CREATE', { text })
    expect(events).toEqual([['MESSAGE_CREATE', { text }]])
  })

  test.each([
    ['pings', () => frame(OP.PING, 'x'), 600],
    ['unsolicited responses', () => frame(OP.FRAME, { cmd: 'A', nonce: 'unknown nonce' }), 600],
    ['large events', () => frame(OP.FRAME, { cmd: 'DISPATCH', evt: 'MESSAGE_CREATE', data: 'x'.repeat(900_000) }), 12],
  ])('throttles a flood of %s', async (_name, bytes, count) => {
    await open()
    for (let sent = 0; sent < count; sent++) peer.bytes(bytes())
    expect(peer.isPaused).toBe(true)
    clock.advance(1000)
    expect(peer.isPaused).toBe(false)
  })

  test('a clock that is set back does not prolong the throttle', async () => {
    await open()
    peer.sendEvent('SPEAKING_START', {})
    clock.advance(-3_600_000)
    for (let count = 0; count < 500; count++) peer.sendEvent('SPEAKING_START', {})
    expect(peer.isPaused).toBe(true)
    clock.advance(1000)
    expect(peer.isPaused).toBe(false)
  })

  test('throttles a flood of events, and delivers the rest later', async () => {
    await open()
    for (let count = 0; count < 498; count++) peer.sendEvent('SPEAKING_START', { user_id: '1' })
    expect(peer.isPaused).toBe(false)
    for (let count = 0; count < 40; count++) peer.sendEvent('SPEAKING_START', { user_id: '1' })
    expect(peer.log).toEqual(['pause'])
    expect(clock.pending).toBe(1)
    clock.advance(1000)
    expect(peer.log).toEqual(['pause', 'resume'])
    peer.sendEvent('SPEAKING_STOP', { user_id: '1' })
    await settled()
    expect(events).toHaveLength(539)
    connection.close()
    expect(clock.pending).toBe(0)
  })
})
