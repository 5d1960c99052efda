/** A dashboard's server with a clock of the test, and requests to it. */
import { createHmac } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { holdPort } from '@sallyport/core/net/held-port'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { dashboardUrl } from '@sallyport/core/storage/daemon-addresses'
import type { FormCall } from '@sallyport/core/dashboard-messages'
import type { SandboxControls } from '#daemon/src/operator/dashboard/sandbox-control.ts'
import { serveDashboard } from '#daemon/src/operator/dashboard/server.ts'
import { TabKeys } from '#daemon/src/operator/dashboard/tab-keys.ts'
import type { Operate } from '#daemon/src/operator/operations.ts'
import { SAMPLE_STATE, TestPublisher } from '#test/support/bridge-state.ts'
import { NO_FIGURES } from '#test/support/dashboard.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { silentLogger } from '#test/support/silent-logger.ts'
import { peersOf } from '#test/support/tcp-peers.ts'

export const TOKEN = 'the-token-of-this-run'
export const CODE = 'the-code-of-the-printed-address'
export const IMAGE = 'a'.repeat(32)
export const clock = new FakeClock()
export const closers: (() => Promise<void>)[] = []
const KNOWN = new Set(['prompt1', 'g1', '42', '77', '42-5', ''])

export async function start(open: Operate = async () => true, peers = peersOf('this-user'), controls?: SandboxControls) {
  const done: string[] = []
  const made: FormCall[] = []
  const operate: Operate = async (name, id = '', { scopes = [], places = [] } = {}) => {
    if (name === 'open-vault') return open(name)
    if (id === 'broken') throw new Error('planted-value')
    if (id === 'wrong') throw new BridgeError('INVALID_PAYLOAD', 'The prompt does not ask for email.')
    done.push([name, id, ...scopes, ...places].join(' '))
    return KNOWN.has(id) || name.endsWith('-presence')
  }
  const publisher = new TestPublisher(SAMPLE_STATE)
  const held = await holdPort(0)
  const token = new Secret(TOKEN)
  const keys = new TabKeys({ clock, port: held.port, master: () => new Secret('master'), printed: [new Secret(CODE)] })
  const close = serveDashboard({
    clock,
    peers,
    held,
    token,
    keys,
    publisher,
    operate,
    applications: { look: () => () => {}, image: (id) => (id === IMAGE ? { type: 'image/png', bytes: Buffer.from('png') } : undefined) },
    readLog: () => ['{"event":"ready"}'],
    traces: { follow: async () => () => {}, newest: () => ({ calls: [], events: [] }) },
    figures: () => NO_FIGURES,
    controls,
    calls: {
      make: async (call) => {
        made.push(call)
        return { id: 'c1-1' }
      },
      end: async () => {},
    },
    log: silentLogger,
  })
  closers.push(close)
  const { port } = held
  return {
    done,
    made,
    keys,
    publisher,
    dashboard: { close, url: dashboardUrl(port, token) },
    port,
    ask: (path: string, headers: Record<string, string> = {}, method = 'GET', text = '') => requestOn(port, path, headers, method, text),
  }
}

const CHALLENGE = 'c'.repeat(43)
const mac = (secret: string, ...words: readonly string[]): string =>
  createHmac('sha256', secret).update(words.join('\n')).digest('base64url')

/** With the session of a tab that was admitted. */
export async function startWithTab(controls?: SandboxControls) {
  const started = await start(undefined, undefined, controls)
  const { nonce } = started.keys.greet(mac(CODE, 'id'), CHALLENGE) ?? { nonce: '' }
  return { ...started, session: mac(CODE, 'tab', String(started.port), CHALLENGE, nonce) }
}

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: string
  bytes: Buffer
}

export const requestOn = (port: number, path: string, headers: Record<string, string>, method: string, text = '') =>
  new Promise<Reply>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const bytes = Buffer.concat(parts)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString(), bytes })
      })
    })
    call.on('error', reject).end(text)
  })

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
