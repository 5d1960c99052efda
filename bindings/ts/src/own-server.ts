/**
 * Connections to servers of this user only. In a directory that other users can write to, another user can listen first at the name that
 * all clients try, and would receive the user's data. The client checks file ownership, because Node cannot read the peer's user from the
 * kernel. On Windows, Node cannot read the owner of a pipe.
 */
import { lstatSync, statSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { posix } from 'node:path'
import { fileMark, isKind, isOwnSocket, isSharedFolder, privateFolderName, socketFolderFlaw } from '@sallyport/protocol/wire'
import { ForeignServerError } from './errors.ts'

/** The folder to search for sockets: `directory`, or this user's private folder below it if other users can write to `directory`. */
export function ownFolder(directory: string): string {
  const uid = process.getuid?.()
  if (uid === undefined) return directory
  try {
    return isSharedFolder(statSync(directory)) ? posix.join(directory, privateFolderName(uid)) : directory
  } catch {
    // Missing or not readable: the search finds no server there.
    return directory
  }
}

/** The identity of the socket file. Throws ForeignServerError if another user owns it or can replace it, and system errors. */
function socketMark(path: string, uid: number): string {
  const socket = lstatSync(path, { bigint: true })
  const facts = { uid: Number(socket.uid), mode: Number(socket.mode) }
  if (!isKind(facts, 'socket')) throw new Error(`${path} is not a socket`)
  if (!isOwnSocket(facts, uid)) throw new ForeignServerError(`${path} belongs to another user of the system`)
  const folder = posix.dirname(path)
  const flaw = socketFolderFlaw(statSync(folder), uid)
  if (flaw !== undefined) throw new ForeignServerError(`other users of the system can replace sockets in ${folder}`)
  return fileMark(socket)
}

function connect(path: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, signal })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** Resolves when connected. Rejects with ForeignServerError if the server may belong to another user, and if nothing listens there. */
export async function connectOwnServer(path: string, signal: AbortSignal): Promise<Socket> {
  const uid = process.getuid?.()
  if (uid === undefined) return connect(path, signal)
  const before = socketMark(path, uid)
  const socket = await connect(path, signal)
  try {
    if (socketMark(path, uid) !== before) throw new ForeignServerError(`${path} was replaced while the client connected`)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
