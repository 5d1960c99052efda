/** Checks the Host and Origin of requests: only loopback names, and changes only from own pages or programs. */
import type { IncomingHttpHeaders } from 'node:http'
import { PlatformError } from '../platform-error.ts'

const NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** Refuses other Host names, which DNS rebinding could point to loopback. */
export function checkHost(headers: IncomingHttpHeaders, port: number): void {
  const host = headers.host?.toLowerCase()
  if (host === undefined || !NAMES.some((name) => host === `${name}:${port}`)) throw new PlatformError('foreignHost')
}

/** Refuses requests from pages of other origins. Programs send neither header. */
export function checkOrigin(headers: IncomingHttpHeaders, port: number): void {
  const { origin } = headers
  const ours = origin === undefined || NAMES.some((name) => origin === `http://${name}:${port}`)
  if (!ours || headers['sec-fetch-site'] === 'cross-site') throw new PlatformError('foreignHost')
}
