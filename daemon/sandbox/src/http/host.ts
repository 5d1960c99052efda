/** Who may talk to the server: only callers that address it by its loopback name, and for changes only its own pages or programs. */
import type { IncomingHttpHeaders } from 'node:http'
import { PlatformError } from '../platform-error.ts'

const NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** Refuses a Host that is not ours: a foreign name that was made to resolve to loopback. */
export function checkHost(headers: IncomingHttpHeaders, port: number): void {
  const host = headers.host?.toLowerCase()
  if (host === undefined || !NAMES.some((name) => host === `${name}:${port}`)) throw new PlatformError('foreignHost')
}

/** Refuses what a page of another origin sends. Programs send neither header. */
export function checkOrigin(headers: IncomingHttpHeaders, port: number): void {
  const { origin } = headers
  const ours = origin === undefined || NAMES.some((name) => origin === `http://${name}:${port}`)
  if (!ours || headers['sec-fetch-site'] === 'cross-site') throw new PlatformError('foreignHost')
}
