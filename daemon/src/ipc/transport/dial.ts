/** Connections that we make ourselves, to a server of the local protocol: only to one that this very user runs, in a place that is theirs. */
import { lstatSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { fileMark, isOwnSocket, socketFolderFlaw } from '@sallyport/protocol/wire'
import { peerIdentifier } from './peer-identity.ts'
import { SocketLink } from './socket-link.ts'
import type { ByteChannel, ChannelReceiver } from './transport.ts'

/** A socket or pipe that may be dialled. */
export interface Door {
  readonly path: string
  /** Tells this socket from one that takes its place; undefined for pipes. */
  readonly file: string | undefined
}

export interface Dialling {
  /** The door at a path; undefined when there is none, or none of ours. */
  doorAt(path: string): Door | undefined
  /** Rejects when nobody answers there, or somebody else than this user. */
  dial(door: Door, receiverOf: (link: ByteChannel) => ChannelReceiver): Promise<ByteChannel>
}

function socketOf(path: string, uid: number): Door | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || !isOwnSocket({ uid: Number(stats.uid), mode: Number(stats.mode) }, uid)) return undefined
  return socketFolderFlaw(statSync(dirname(path)), uid) === undefined ? { path, file: fileMark(stats) } : undefined
}

export function dialling(platform: NodeJS.Platform, uid: number | undefined): Dialling {
  // A named pipe is found as the one that was made last, which one of ours that was dialled need not be.
  const identify: ReturnType<typeof peerIdentifier> = platform === 'win32' ? () => ({ trust: 'directory' }) : peerIdentifier(platform)
  const doorAt = (path: string): Door | undefined => {
    if (platform === 'win32' || uid === undefined) return { path, file: undefined }
    try {
      return socketOf(path, uid)
    } catch {
      return undefined // A folder that may not be looked into.
    }
  }
  return {
    doorAt,
    dial: ({ path, file }, receiverOf) =>
      new Promise((resolve, reject) => {
        const socket = connect(path)
        socket.once('error', reject)
        socket.once('connect', () => {
          socket.off('error', reject)
          // A peer that vanishes is ordinary; 'close' follows.
          socket.on('error', () => {})
          const peer = identify(socket)
          if (peer.uid !== undefined && peer.uid !== uid) {
            peer.process?.release()
            socket.destroy()
            reject(new Error(`The server at ${path} runs as another user of the system.`))
            return
          }
          if (doorAt(path)?.file !== file) {
            socket.destroy()
            reject(new Error(`The socket at ${path} became another one while it was being connected.`))
            return
          }
          const link = new SocketLink(socket, peer)
          const receiver = receiverOf(link)
          socket.on('data', (bytes: Buffer) => receiver.onBytes(bytes))
          socket.on('drain', () => receiver.onDrain())
          socket.once('end', () => receiver.onEnd())
          socket.once('close', () => receiver.onClose())
          resolve(link)
        })
      }),
  }
}
