/** Whether a host can be reached by TCP, and why not. Nothing is sent. */
import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'

const CONNECT_MS = 3000

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))

/** The codes of the system and of TLS in an error, its causes and its parts. */
export function codesOf(failure: unknown): readonly string[] {
  if (!(failure instanceof Error)) return []
  const own = 'code' in failure && typeof failure.code === 'string' ? [failure.code] : []
  const parts = failure instanceof AggregateError ? failure.errors.flatMap(codesOf) : []
  return [...own, ...parts, ...codesOf(failure.cause)]
}

/** Why a connection to a host fails, before anything is sent; undefined if it succeeds. */
export async function whyUnreachable(host: string, port: number): Promise<string | undefined> {
  try {
    await lookup(host)
  } catch (failure) {
    const code = codesOf(failure)[0] ?? messageOf(failure)
    return `has a name that cannot be resolved (${code})`
  }
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS })
    const end = (reason: string | undefined): void => {
      socket.destroy()
      resolve(reason)
    }
    socket.once('connect', () => end(undefined))
    socket.once('timeout', () => end('does not answer'))
    socket.once('error', (failure) => end(`refuses connections (${codesOf(failure)[0] ?? messageOf(failure)})`))
  })
}
