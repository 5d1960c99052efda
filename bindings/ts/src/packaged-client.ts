/**
 * Servers in the folders of packaged desktop clients. A contained program that may reach such a client can listen there in its place, so nothing
 * is sent to them unless the game allows it, and none of them is a bridge: the daemon of this user also listens in the main folder.
 */
import type { SocketCandidate } from './discovery.ts'
import type { Environment } from './environment.ts'
import { ForeignServerError } from './errors.ts'
import type { ServerConnection } from './server-connection.ts'

/** Why the client does not connect to this candidate. */
export function leftOut({ path }: SocketCandidate, { exists }: Pick<Environment, 'exists'>): Error {
  if (!exists(path)) return new Error(`${path} does not exist`)
  return new ForeignServerError(
    `contained programs can listen at ${path}; the client uses the platform's own client there only with allowPackagedClient`,
  )
}

/** Ends a connection to what says that it is a bridge, and returns the reason. */
export function refused(connection: ServerConnection): Error {
  void connection.close()
  return new ForeignServerError(`the server at ${connection.server.path} says that it is a bridge, where contained programs can listen`)
}
