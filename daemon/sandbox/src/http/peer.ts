/** Whether the peer of a connection belongs to the user who runs the sandbox. Other users of the machine reach its ports too. */
import type { IncomingMessage } from 'node:http'

export type IsOwnPeer = (socket: IncomingMessage['socket']) => Promise<boolean>

/** Asks once for each connection, because the owner of its peer does not change. */
export function askedOnce(isOwnPeer: IsOwnPeer): IsOwnPeer {
  const answers = new WeakMap<object, Promise<boolean>>()
  return (socket) => {
    const answer = answers.get(socket) ?? isOwnPeer(socket)
    answers.set(socket, answer)
    return answer
  }
}
