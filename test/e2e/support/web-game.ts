/**
 * A tiny web game as its developer would build it: a page with the published embedded SDK, unmodified, and a server that exchanges the
 * code. It plays one round by itself, and shows what it got as JSON.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { WebSocketServer } from 'ws'

const TESTS = resolve(import.meta.dirname, '..', '..')

/** Runs in the browser. A failed step is shown with its error. */
const game = (applicationId: string) => `
import { DiscordSDK } from '@discord/embedded-app-sdk'
const shown = {}
const show = (id) => { document.getElementById(id).textContent = JSON.stringify(shown) }
const failureOf = (work) => work.then(() => 'none', (failure) => failure)
const echo = (text) => new Promise((resolve, reject) => {
  const socket = new WebSocket('ws://' + location.host + '/.proxy/api/live?room=7')
  socket.addEventListener('open', () => socket.send(text))
  socket.addEventListener('message', ({ data }) => { resolve(data); socket.close() })
  socket.addEventListener('error', () => reject(new Error('no websocket')))
})
try {
  const sdk = new DiscordSDK('${applicationId}')
  await sdk.ready()
  Object.assign(shown, { instanceId: sdk.instanceId, channelId: sdk.channelId, platform: sdk.platform })
  await sdk.subscribe('ACTIVITY_LAYOUT_MODE_UPDATE', () => {})
  shown.beforeSignIn = await failureOf(sdk.commands.setActivity({ activity: { details: 'Too early' } }))
  const { code } = await sdk.commands.authorize({
    client_id: '${applicationId}', response_type: 'code', state: '', prompt: 'none', scope: ['identify', 'rpc.activities.write'],
  })
  const exchanged = await fetch('/.proxy/api/token', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code }),
  })
  const { access_token } = await exchanged.json()
  const { user, application } = await sdk.commands.authenticate({ access_token })
  Object.assign(shown, { username: user.username, applicationId: application.id })
  await sdk.subscribe('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', () => {})
  const { participants } = await sdk.commands.getActivityInstanceConnectedParticipants()
  shown.participants = participants.map((one) => one.username)
  shown.activity = await sdk.commands.setActivity({ activity: { type: 0, details: 'Mending nets', state: 'In a browser' } })
  console.log('the round begins', access_token)
  shown.behaviors = await sdk.commands.getPlatformBehaviors()
  shown.refused = await failureOf(sdk.commands.openInviteDialog())
  shown.echo = await echo('ahoy')
  shown.withoutPrefix = await (await fetch('/api/where?from=here')).text()
  shown.unmapped = await failureOf(fetch('http://127.0.0.1:' + document.body.dataset.port + '/'))
    .then((failure) => String(failure?.name ?? failure))
} catch (failure) {
  shown.failure = String(failure?.message ?? JSON.stringify(failure))
}
show('result')
`

async function bundled(applicationId: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: game(applicationId), resolveDir: TESTS, sourcefile: join(TESTS, 'game.js') },
    write: false,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

export interface WebGame {
  readonly port: number
  /** What its server received, without the page and its script. */
  readonly requests: readonly Pick<IncomingMessage, 'headers' | 'method' | 'url'>[]
  close(): void
}

/** `tokenUrl`: where its server exchanges codes. */
export async function startWebGame(applicationId: string, tokenUrl: string): Promise<WebGame> {
  const script = await bundled(applicationId)
  const requests: IncomingMessage[] = []
  const exchange = async (body: string): Promise<string> => {
    const { code } = JSON.parse(body) as { readonly code: string }
    const form = { client_id: applicationId, client_secret: `sandbox-secret-${applicationId}`, grant_type: 'authorization_code', code }
    return (await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) })).text()
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://game')
    const end = (type: string, body: string) => response.setHeader('Content-Type', type).end(body)
    const { port } = server.address() as AddressInfo
    if (pathname === '/') {
      end('text/html', `<!doctype html><body data-port="${port}"><pre id="result"></pre><script type="module" src="/game.js"></script>`)
    } else if (pathname === '/game.js') end('text/javascript', script)
    else {
      requests.push(request)
      if (pathname === '/backend/token')
        void text(request)
          .then(exchange)
          .then((tokens) => end('application/json', tokens))
      else end('text/plain', request.url ?? '')
    }
  })
  const rooms = new WebSocketServer({ server, path: '/backend/live' })
  rooms.on('connection', (socket, request) => {
    requests.push(request)
    socket.on('message', (data: Buffer) => socket.send(`${data.toString()} in ${request.url}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close() {
      rooms.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
