/** Connections that we make ourselves, to a server of the local protocol: only to one that this very user runs, in a place that is theirs. */
import { lstatSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { peerIdentifier } from './peer-identity.ts'
import { SocketLink } from './socket-link.ts'
import type { Link, LinkReceiver } from './transport.ts'

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
  dial(door: Door, receiverOf: (link: Link) => LinkReceiver): Promise<Link>
}

const STICKY = 0o1000
const OTHERS_WRITE = 0o022
const ROOT = 0

/** Nobody but this user, or root, can put something else in the place of a file there. */
function isSafeFolder(folder: string, uid: number): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || (stats.uid !== uid && stats.uid !== ROOT)) return false
  return (stats.mode & OTHERS_WRITE) === 0 || (stats.mode & STICKY) !== 0
}

function socketOf(path: string, uid: number): Door | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || !stats.isSocket() || stats.uid !== BigInt(uid) || !isSafeFolder(dirname(path), uid)) return undefined
  return { path, file: [stats.dev, stats.ino, stats.ctimeNs].join(':') }
}

export function dialling(platform: NodeJS.Platform, uid: number | undefined): Dialling {
  const identify = peerIdentifier(platform)
  return {
    doorAt(path) {
      if (platform === 'win32' || uid === undefined) return { path, file: undefined }
      try {
        return socketOf(path, uid)
      } catch {
        return undefined // A folder that may not be looked into.
      }
    },
    dial: ({ path }, receiverOf) =>
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
