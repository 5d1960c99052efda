/**
 * Checks requests to the dashboard. A page of another site can make the user's browser send requests here, even under its own host name
 * (DNS rebinding). So Host must be the dashboard's, Origin too if present, and data needs the token of the run or the session of a tab.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Secret } from '@sallyport/core/secret'
import { ownHosts } from '../../loopback/own-host.ts'

/** `tool`: has the token, which only a process of the user can read. `tab`: has a session. `stranger`: has neither. */
export type Verdict = 'tool' | 'tab' | 'stranger' | 'foreign'

interface GuardOptions {
  readonly port: number
  readonly token: Secret<string>
  readonly isSession: (text: string) => boolean
}

/** Hashing makes the lengths equal, so that the comparison reveals nothing. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const BEARER = 'Bearer '

/** Returns the check of requests to the server on `port`. */
export function createRequestGuard({ port, token, isSession }: GuardOptions): (headers: IncomingHttpHeaders) => Verdict {
  const hosts = ownHosts(port)
  const origins = new Set([...hosts].map((host) => `http://${host}`))
  const expected = digest(token.reveal())
  return ({ host, origin, authorization = '' }) => {
    if (host === undefined || !hosts.has(host.toLowerCase())) return 'foreign'
    if (origin !== undefined && !origins.has(origin)) return 'foreign'
    const given = authorization.startsWith(BEARER) ? authorization.slice(BEARER.length) : ''
    if (timingSafeEqual(digest(given), expected)) return 'tool'
    return isSession(given) ? 'tab' : 'stranger'
  }
}
