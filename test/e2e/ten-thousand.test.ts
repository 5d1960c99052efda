/** Ten thousand forwarded calls at once: each gets its own answer once, and all their memory is released. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frame, OP } from '#test/support/frames.ts'
import { withoutLimits } from './support/application-settings.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const CONNECTIONS = 4
const CALLS_EACH = 2500
const WARM_CALLS = 500
const LOBBIES = 10
const APPLICATION = '777000222'
const MIB = 1024 * 1024
/** What the heap keeps for itself differs from run to run; ten thousand calls that were kept would be far more. */
const SLACK_BYTES = 64 * MIB
const PATIENCE_MS = 60_000
const REST_MS = 1_000
const LOOK_MS = 100

/** Collects all garbage at this signal; only a Node that takes flags can be asked to. */
const COLLECTOR = join(import.meta.dirname, '../bench/contestants/collect-on-signal.mjs')
const COLLECT = 'SIGUSR2'

const rss = (pid: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

describe.each(TARGETS)('$name', (target) => {
  const isMeasurable = target.name === 'source' && process.platform === 'linux'
  let at: Folders
  let daemon: Daemon
  let clients: readonly RawClient[]
  const lobbies: string[] = []

  beforeAll(async () => {
    at = await folders()
    const env = isMeasurable ? { NODE_OPTIONS: `--expose-gc --import ${COLLECTOR}` } : {}
    daemon = await startDaemon(target, at, ['--log-level', 'warn'], env)
    await withoutLimits(daemon.origin)
    const open = async () => RawClient.ready(daemon.socket, { client_id: APPLICATION, contract: '1.0', streams: true })
    clients = await Promise.all(Array.from({ length: CONNECTIONS }, open))
    const first = clients[0]!
    await signIn(first)
    for (let index = 0; index < LOBBIES; index++) {
      const { data } = await first.call('CREATE_OR_JOIN_LOBBY', { secret: `crowd-${index}` })
      const { id } = data as { id: string }
      await first.call('SEND_LOBBY_MESSAGE', { lobby_id: id, content: `of ${id}` })
      lobbies.push(id)
    }
    for (const client of clients.slice(1)) await client.call('AUTHENTICATE', {})
    // No deadline ends a call on a busy machine.
    for (const client of clients) await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 300_000 })
  })
  afterAll(async () => {
    for (const client of clients) client.hangUp()
    await daemon.stop()
    await at.remove()
  })

  async function signIn(client: RawClient): Promise<void> {
    const scopes = ['openid', 'sdk.social_layer']
    const { data } = await client.call('AUTHORIZE', {
      client_id: APPLICATION,
      scopes,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    })
    const { code, redirect_uri } = data as { code: string; redirect_uri: string }
    await client.call('GET_TOKEN', { code, redirect_uri, code_verifier: VERIFIER })
    await client.call('AUTHENTICATE', {})
  }

  /** All calls of one connection in one go; how many of each lobby came back, each to the nonce that asked for it. */
  async function rush(client: RawClient, mark: string, calls = CALLS_EACH): Promise<Map<string, number>> {
    const asked = new Map(Array.from({ length: calls }, (_, index) => [`${mark}-${index}`, lobbies[index % LOBBIES]!]))
    const bytes = [...asked].map(([nonce, id]) => frame(OP.FRAME, { cmd: 'GET_LOBBY_MESSAGES', args: { lobby_id: id }, nonce }))
    client.send(Buffer.concat(bytes))
    const came = new Map<string, number>()
    for (let left = calls; left > 0; left--) {
      const { evt, data, nonce } = await client.message()
      if (evt !== null) throw new Error(`answered ${JSON.stringify(data)}`)
      const [{ content }] = data as [{ content: string }]
      const id = content.slice('of '.length)
      expect(asked.get(String(nonce))).toBe(id)
      asked.delete(String(nonce))
      came.set(id, (came.get(id) ?? 0) + 1)
    }
    return came
  }

  /** Bytes that are in use when nothing can be collected any more, or the least within the patience. */
  async function settled(goal: number, patienceMs: number): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let waited = 0; waited < patienceMs && least > goal; waited += LOOK_MS) {
      process.kill(daemon.ready.pid, COLLECT)
      await pause(LOOK_MS)
      least = Math.min(least, rss(daemon.ready.pid))
    }
    return least
  }

  test('ten thousand calls at once are answered once each, and memory returns to where it was', async () => {
    // What the first calls compile and open stays.
    await rush(clients[0]!, 'warm', WARM_CALLS)
    const before = isMeasurable ? await settled(0, REST_MS) : 0
    for (const came of await Promise.all(clients.map((client, index) => rush(client, `c${index}`)))) {
      expect([...came.values()]).toEqual(Array.from({ length: LOBBIES }, () => CALLS_EACH / LOBBIES))
    }
    if (isMeasurable) expect(await settled(before + SLACK_BYTES, PATIENCE_MS)).toBeLessThan(before + SLACK_BYTES)
  })
})

// The pair of RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
