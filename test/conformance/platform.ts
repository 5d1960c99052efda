/** The platform's HTTP API behind the daemon's HTTP port: answers what a vector says, knows tokens by their text, and remembers the requests. */
import type { HttpReply, HttpRequest, HttpSend } from '../../daemon/src/upstream/upstream.ts'
import { authorizationInformation, meaningOf } from '../support/tokens.ts'
import type { Vector } from '../support/vectors.ts'

export const BASE_URL = 'https://api.example.test/api/v10'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly authorization: string | undefined
  /** Header for the audit log, as sent. */
  readonly reason: string | undefined
}

const reply = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
})

const UNAUTHORIZED = { code: 0, message: '401: Unauthorized' }

export function fakePlatform(answers: Vector['platform']): { readonly send: HttpSend; readonly seen: SeenRequest[] } {
  const seen: SeenRequest[] = []
  const send: HttpSend = async ({ method, url, headers, body }: HttpRequest) => {
    const path = url.slice(BASE_URL.length)
    const authorization = headers['authorization']
    const planned = answers[`${method} ${path}`]
    if (planned === undefined && method === 'GET' && path === '/oauth2/@me') {
      const meaning = meaningOf(authorization?.replace(/^Bearer /, '') ?? '')
      return meaning === undefined ? reply(401, UNAUTHORIZED) : reply(200, authorizationInformation(meaning))
    }
    seen.push({
      method,
      path,
      body: body === undefined ? undefined : JSON.parse(body),
      authorization,
      reason: headers['x-audit-log-reason'],
    })
    return planned === undefined ? reply(404, { code: 0, message: '404: Not Found' }) : reply(planned.status, planned.body, planned.headers)
  }
  return { send, seen }
}
