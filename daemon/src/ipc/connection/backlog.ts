/** What a connection does about the bytes that its peer has not read. */

/** Unsent bytes at which the daemon stops reading from the peer. */
const HIGH_WATER_BYTES = 256 * 1024
/** Unsent bytes at which the connection is closed, because the peer has stopped reading. */
const LIMIT_BYTES = 4 * 1024 * 1024

type Backlog = 'flowing' | 'congested' | 'overflowing'

/** `unsentBytes`: bytes that are queued here or that the operating system has not accepted. */
export function backlogOf(unsentBytes: number): Backlog {
  if (unsentBytes <= HIGH_WATER_BYTES) return 'flowing'
  return unsentBytes <= LIMIT_BYTES ? 'congested' : 'overflowing'
}
