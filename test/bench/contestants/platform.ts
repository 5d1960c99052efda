/** A platform with an HTTP API and a gateway, for the programs that send events: it accepts any token, and leaves what follows IDENTIFY to them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

const LOOPBACK = '127.0.0.1'
const HEARTBEAT_MS = 45_000
const OP = { dispatch: 0, heartbeat: 1, identify: 2, hello: 10, ack: 11 } as const
export const USER = { id: '200000000000000001', username: 'player', discriminator: '0', global_name: null, avatar: null }

const authorizationOf = (application: string, scopes: readonly string[]): object => ({
  application: {
    id: application,
    name: 'bench',
    icon: null,
    description: '',
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: '00',
  },
  scopes,
  expires: '2099-01-01T00:00:00.000000+00:00',
  user: { ...USER, public_flags: 0 },
})

export interface Platform {
  readonly port: number
  dispatch(t: string, d: object): void
  /** As `dispatch`, with `d` as JSON: for what must not be made while others are measured. */
  dispatchText(t: string, d: string): void
  /** What every READY has. */
  readonly readyFields: object
}

export interface PlatformOptions {
  readonly application: string
  readonly scopes: readonly string[]
  readonly onIdentify: (platform: Platform) => void
}

export async function openPlatform({ application, scopes, onIdentify }: PlatformOptions): Promise<Platform> {
  let gateway: WebSocket | undefined
  let seq = 0
  const http = createServer((request, response) => {
    const answers: Readonly<Record<string, unknown>> = {
      '/api/v10/oauth2/@me': authorizationOf(application, scopes),
      '/api/v10/users/@me/guilds': [],
      '/api/v10/gateway': { url },
    }
    const answer = answers[(request.url ?? '').split('?')[0] ?? '']
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { code: 0, message: '404: Not Found' }))
  })
  await once(http.listen(0, LOOPBACK), 'listening')
  const { port } = http.address() as AddressInfo
  const url = `ws://${LOOPBACK}:${port}`
  const dispatchText = (t: string, d: string): void => gateway?.send(`{"op":${OP.dispatch},"t":"${t}","s":${++seq},"d":${d}}`)
  const platform: Platform = {
    port,
    dispatchText,
    dispatch: (t, d) => dispatchText(t, JSON.stringify(d)),
    readyFields: {
      v: 10,
      user: USER,
      session_id: 'bench',
      resume_gateway_url: url,
      guilds: [],
      application: { id: application, flags: 0 },
    },
  }
  new WebSocketServer({ server: http }).on('connection', (socket) => {
    gateway = socket
    socket.send(JSON.stringify({ op: OP.hello, d: { heartbeat_interval: HEARTBEAT_MS } }))
    socket.on('message', (data: Buffer) => {
      const { op } = JSON.parse(data.toString()) as { op: number }
      if (op === OP.heartbeat) socket.send(JSON.stringify({ op: OP.ack }))
      if (op === OP.identify) onIdentify(platform)
    })
  })
  return platform
}
