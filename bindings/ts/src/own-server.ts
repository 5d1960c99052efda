/**
 * Connections to servers that this very user runs. Wherever other users may put files, one of them can listen first under the name that all
 * clients try, and would be told what is meant for the user's own server. What the file system says keeps them out; Node has no way to ask
 * the kernel who listens. On Windows pipes have no owner that Node could ask for.
 */
import { lstatSync, statSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { posix } from 'node:path'
import { fileMark, isKind, isOwnSocket, isSharedFolder, privateFolderName, socketFolderFlaw } from '@sallyport/protocol/wire'
import { ForeignServer } from './errors.ts'

/** The folder in `directory` to look for sockets in: itself, or where other users may put some there too, the one of this user alone. */
export function ownFolder(directory: string): string {
  const uid = process.getuid?.()
  if (uid === undefined) return directory
  try {
    return isSharedFolder(statSync(directory)) ? posix.join(directory, privateFolderName(uid)) : directory
  } catch {
    // Missing, or not to be looked at: nobody is found there either way.
    return directory
  }
}

/** What tells this socket from another one. Throws ForeignServer when somebody else owns it or may exchange it, and what the system says. */
function markOf(path: string, uid: number): string {
  const socket = lstatSync(path, { bigint: true })
  const facts = { uid: Number(socket.uid), mode: Number(socket.mode) }
  if (!isKind(facts, 'socket')) throw new Error(`${path} is no socket`)
  if (!isOwnSocket(facts, uid)) throw new ForeignServer(`${path} is a socket of another user of the system`)
  const folder = posix.dirname(path)
  const flaw = socketFolderFlaw(statSync(folder), uid)
  if (flaw !== undefined) throw new ForeignServer(`other users of the system can exchange sockets in ${folder}`)
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

/** Resolves once connected. Rejects with ForeignServer when the server may be another user's, and when nothing listens there. */
export async function dialOwnServer(path: string, signal: AbortSignal): Promise<Socket> {
  const uid = process.getuid?.()
  if (uid === undefined) return connect(path, signal)
  const before = markOf(path, uid)
  const socket = await connect(path, signal)
  try {
    if (markOf(path, uid) !== before) throw new ForeignServer(`${path} became another socket while it was being connected`)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
