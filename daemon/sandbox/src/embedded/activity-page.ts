/**
 * The page around an activity. On the platform, its client is the parent of the activity's iframe and speaks the local protocol with it
 * by postMessage. This page carries these messages to the bridge's websocket and back, and decides nothing.
 *
 *   iframe ── postMessage [0 handshake │ 1 frame │ 2 close, data] ──▶ this page ── websocket ──▶ bridge
 */
import { createHash, randomUUID } from 'node:crypto'
import type { SandboxReply } from '../http/exchange.ts'
import { html, Html } from '../pages/layout.ts'

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;height:100vh;display:flex;flex-direction:column;font:14px/1.5 system-ui,sans-serif}
p{margin:0;padding:.25rem .75rem}
iframe{flex:1;border:0}
`

/** Runs in the browser. */
const SCRIPT = `
'use strict'
const HANDSHAKE = 0
const FRAME = 1
const CLOSE = 2
const CLOSE_NORMAL = 1000
const { bridge, frame: frameId } = document.body.dataset
const status = document.getElementById('status')
const game = document.getElementById('game')
let socket

// The embedded SDK would send its messages to the opener of this page.
window.opener = null

const send = (opcode, data) => game.contentWindow.postMessage([opcode, data], location.origin)

function refuse(message) {
  status.textContent = message
  send(CLOSE, { code: CLOSE_NORMAL, message })
}

function connect({ v, client_id: applicationId, frame_id: given, encoding = 'json' }) {
  socket?.close()
  socket = undefined
  if (given !== frameId) return refuse('The handshake has another frame_id; pass on the frame_id of the address.')
  if (bridge === '') return refuse('No bridge runs here; start it with: sallyport run')
  const own = new WebSocket(bridge + '/?' + new URLSearchParams({ v, client_id: applicationId, encoding }))
  socket = own
  status.textContent = 'Connecting to the bridge.'
  own.addEventListener('message', ({ data }) => {
    if (socket === own) send(FRAME, JSON.parse(data))
  })
  own.addEventListener('open', () => {
    if (socket === own) status.textContent = 'Connected to the bridge.'
  })
  own.addEventListener('close', ({ code, reason }) => {
    if (socket !== own) return
    socket = undefined
    status.textContent = 'The bridge closed the connection: ' + code + ' ' + reason
    send(CLOSE, { code, message: reason })
  })
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== game.contentWindow || origin !== location.origin || !Array.isArray(data)) return
  const [opcode, payload] = data
  if (opcode === HANDSHAKE) connect(payload ?? {})
  else if (opcode === FRAME && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(payload))
  else if (opcode === CLOSE) socket?.close(CLOSE_NORMAL)
})

// The game starts once this page listens.
game.src = game.dataset.address
`

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What the platform's client lets activities do. */
const FEATURES = 'autoplay; clipboard-write; encrypted-media; fullscreen; gamepad; microphone; camera; accelerometer; gyroscope'

export interface ActivityPlace {
  readonly applicationId: string
  readonly guildId: string
  readonly channelId: string
}

/** The query that the platform's client adds to the address of an activity. Users in one channel share an instance. */
function activityQuery({ applicationId, guildId, channelId }: ActivityPlace, frameId: string, asked: URLSearchParams): string {
  const location = `gc-${guildId}-${channelId}`
  const query = new URLSearchParams({
    instance_id: `i-${applicationId}-${location}`,
    location_id: location,
    launch_id: applicationId,
    guild_id: guildId,
    channel_id: channelId,
    frame_id: frameId,
    platform: 'desktop',
  })
  for (const name of ['custom_id', 'referrer_id']) {
    const value = asked.get(name)
    if (value !== null) query.set(name, value)
  }
  return query.toString()
}

/** `bridge`: address of the bridge's websocket; undefined while none runs. `asked`: the query of this page. */
export function activityPage(place: ActivityPlace, bridge: string | undefined, asked: URLSearchParams): SandboxReply {
  const frameId = randomUUID()
  const document = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Activity ${place.applicationId}</title>
<style>${new Html(STYLE)}</style></head>
<body data-bridge="${bridge ?? ''}" data-frame="${frameId}"><p id="status" role="status">The activity loads.</p>
<iframe id="game" title="Activity" allow="${FEATURES}" data-address="/?${activityQuery(place, frameId, asked)}"></iframe>
<script>${new Html(SCRIPT)}</script></body></html>`
  const policy = [
    "default-src 'none'",
    `script-src ${sourceOf(SCRIPT)}`,
    `style-src ${sourceOf(STYLE)}`,
    "frame-src 'self'",
    ...(bridge === undefined ? [] : [`connect-src ${bridge}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: document.text,
  }
}
