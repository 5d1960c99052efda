/** Frames in any chunking, and many calls at once: one answer each, in order. */
import { describe, expect, test } from 'vitest'
import { frame, handshake, OP } from '#test/support/frames.ts'
import { withoutLimits } from './support/application-settings.ts'
import { type Daemon, TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'
import { RawClient } from './support/raw-client.ts'

const setActivity = (nonce: string) =>
  frame(OP.FRAME, { cmd: 'SET_ACTIVITY', args: { pid: 7, activity: { details: 'Ünïcödé ⚓', state: nonce.padStart(2, '0') } }, nonce })

describe.each(TARGETS)('$name', (target) => {
  let daemon: Daemon
  useDaemon(target, (opened) => {
    daemon = opened
  })

  test('2,000 calls in one write get 2,000 answers, in order', async () => {
    const client = await RawClient.ready(daemon.socket)
    client.send(Buffer.concat(Array.from({ length: 2000 }, (_, n) => setActivity(String(n)))))
    for (let n = 0; n < 2000; n++) expect((await client.message()).nonce).toBe(String(n))
    client.hangUp()
  })

  test('one byte at a time', async () => {
    const client = await RawClient.open(daemon.socket)
    client.socket.setNoDelay(true)
    for (const byte of Buffer.concat([handshake(), setActivity('a')])) {
      client.send(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    expect((await client.message()).evt).toBe('READY')
    expect(await client.message()).toMatchObject({ nonce: 'a', data: { details: 'Ünïcödé ⚓' } })
    client.hangUp()
  })

  test('header and body in two writes', async () => {
    const client = await RawClient.ready(daemon.socket)
    const bytes = setActivity('b')
    client.send(bytes.subarray(0, 8))
    await new Promise(setImmediate)
    client.send(bytes.subarray(8))
    expect((await client.message()).nonce).toBe('b')
    client.hangUp()
  })

  test('5,000 calls that go to the HTTP API, from one client, are all answered', async () => {
    await withoutLimits(daemon.origin)
    const client = await RawClient.ready(daemon.socket, { contract: '1.0', streams: true, max_frame_bytes: 1_048_576 })
    const code = await client.call('AUTHORIZE', { scopes: ['identify'] })
    const form = { grant_type: 'authorization_code', client_id: '1234567890', client_secret: 'sandbox-secret-1234567890', ...code.data }
    const tokens = (await (await fetch(daemon.ready.tokenUrl, { method: 'POST', body: new URLSearchParams(form) })).json()) as {
      access_token: string
    }
    expect(await client.call('AUTHENTICATE', { access_token: tokens.access_token })).toMatchObject({ evt: null })

    // No deadline ends a call on a busy machine.
    await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 300_000 })
    const calls = 5000
    client.send(Buffer.concat(Array.from({ length: calls }, (_, n) => frame(OP.FRAME, { cmd: 'GET_CURRENT_USER', nonce: n }))))
    const seen = new Set<unknown>()
    for (let n = 0; n < calls; n++) {
      const answer = await client.message()
      expect(answer).toMatchObject({ evt: null, data: { username: 'ada' } })
      seen.add(answer.nonce)
    }
    expect(seen.size).toBe(calls)
    client.hangUp()
  })
})
