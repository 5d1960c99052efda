/** A fake HTTP API of the platform behind the real forwarder: returns planned responses, derives the meaning of tokens from their text, and records requests. */
import { silentLogger } from '#test/support/silent-logger.ts'
import type { Clock } from '@sallyport/core/clock'
import { createForwarder } from '#daemon/src/platform/api/forwarder.ts'
import type { Forwarder, HttpReply, HttpRequest, HttpSend, MultipartBody } from '#daemon/src/platform/api/forwarder-port.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import { bytesOf } from '#test/support/bytes.ts'
import { authorizationInformation, meaningOf } from '#test/support/tokens.ts'
import type { PlannedReply } from '#test/support/vectors.ts'

const BASE_URL = 'https://api.example.test/api/v10'

export interface SeenFile {
  readonly part: string
  readonly filename: string
  readonly content_type: string
  readonly text: string
}

export interface SeenRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body: unknown
  readonly authorization: string | undefined
  /** Header for the audit log, as sent. */
  readonly reason: string | undefined
  /** File parts of the body, with their content as text. */
  readonly files?: readonly SeenFile[]
}

export interface FakePlatform {
  readonly forwarder: Forwarder
  /** All requests but those of signing in. */
  readonly seen: SeenRequest[]
}

const reply = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
})

/** Parses a multipart body with a parser that is independent of the daemon. */
async function partsOf(headers: HttpRequest['headers'], sent: MultipartBody): Promise<Pick<SeenRequest, 'body' | 'files'>> {
  const whole = await bytesOf(sent.chunks())
  const { bytes } = sent
  if (whole.length !== bytes || headers['content-length'] !== String(bytes))
    throw new Error(`${whole.length} bytes are sent, ${bytes} announced`)
  const form = await new Response(whole, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
  const parts = [...form].map(([part, value]) => ({ part, value }))
  const payload = parts.find(({ part }) => part === 'payload_json')?.value
  const files = parts.flatMap(({ part, value }) =>
    typeof value === 'string' ? [] : [value.text().then((text) => ({ part, filename: value.name, content_type: value.type, text }))],
  )
  const fields = parts.flatMap(({ part, value }) => (typeof value === 'string' && part !== 'payload_json' ? [[part, value]] : []))
  const ofFields: unknown = fields.length === 0 ? undefined : Object.fromEntries(fields)
  return { body: typeof payload === 'string' ? JSON.parse(payload) : ofFields, files: await Promise.all(files) }
}

const OWN_APPLICATION = { id: '1234567890', name: 'Dockside', icon: null, description: '', verify_key: '', flags: 0 }
const UNAUTHORIZED = { code: 0, message: '401: Unauthorized' }

/** `planned` returns the response to a request; undefined: 404, or the response of signing in. */
export function fakePlatform(clock: Clock, planned: (method: string, path: string) => PlannedReply | undefined): FakePlatform {
  const seen: SeenRequest[] = []
  let isBotKnown = false
  const send: HttpSend = async ({ method, url, headers, body, multipart }: HttpRequest) => {
    const path = url.slice(BASE_URL.length)
    const authorization = headers['authorization']
    // Before the first use of a bot token, the daemon requests its application.
    if (!isBotKnown && method === 'GET' && path === '/applications/@me' && authorization?.startsWith('Bot ') === true) {
      isBotKnown = true
      return reply(200, OWN_APPLICATION)
    }
    const plan = planned(method, path)
    if (plan === undefined && method === 'GET' && path === '/oauth2/@me') {
      const meaning = meaningOf(authorization?.replace(/^Bearer /, '') ?? '')
      return meaning === undefined ? reply(401, UNAUTHORIZED) : reply(200, authorizationInformation(meaning))
    }
    seen.push({
      method,
      path,
      authorization,
      reason: headers['x-audit-log-reason'],
      ...(multipart === undefined ? { body: body === undefined ? undefined : JSON.parse(body) } : await partsOf(headers, multipart)),
    })
    return plan === undefined ? reply(404, { code: 0, message: '404: Not Found' }) : reply(plan.status, plan.body, plan.headers)
  }
  const forwarder = createForwarder({
    profile: { baseUrl: BASE_URL, userAgent: 'test' },
    send,
    clock,
    log: silentLogger,
    warnings: new Warnings(clock, silentLogger),
    random: () => 0,
  })
  return { forwarder, seen }
}
