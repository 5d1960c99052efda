/** What Node keeps on the handle of a socket and offers no public way to: its descriptor, and the switch of its reading. */
import type { Socket } from 'node:net'

interface Handle {
  readonly fd?: number
  /** Whether Node has switched its reading on. */
  reading?: boolean
  readStart(): unknown
  readStop(): unknown
}

/** Undefined when the socket is closed. */
export const handleOf = (socket: Socket): Handle | undefined => (socket as Socket & { _handle?: Handle | null })._handle ?? undefined

/** -1 for named pipes, which have none. */
export const descriptorOf = (socket: Socket): number => handleOf(socket)?.fd ?? -1
