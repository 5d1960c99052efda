/** Internals of a Node socket handle that have no public API: its file descriptor, and starting and stopping reads. */
import type { Socket } from 'node:net'

interface Handle {
  readonly fd?: number
  /** Whether Node is reading. */
  reading?: boolean
  readStart(): unknown
  readStop(): unknown
}

/** Undefined when the socket is closed. */
export const handleOf = (socket: Socket): Handle | undefined => (socket as Socket & { _handle?: Handle | null })._handle ?? undefined

/** The file descriptor; -1 for named pipes, which have none. */
export const descriptorOf = (socket: Socket): number => handleOf(socket)?.fd ?? -1
