/** Outgoing connections to servers of the local protocol. Server and socket directory must belong to this user. */
import { lstatSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { fileMark, isOwnSocket, socketFolderFlaw } from '@sallyport/protocol/wire'
import { peerIdentifier } from './peer-identity.ts'
import { SocketChannel } from './socket-channel.ts'
import type { ByteChannel, ChannelReceiver } from './transport.ts'

/** A socket or pipe that accepts connections. */
export interface SocketEndpoint {
  readonly path: string
  /** Identifies this socket file, so that a replacement is noticed; undefined for pipes. */
  readonly file: string | undefined
}

export interface Dialer {
  /** The endpoint at a path; undefined if none exists or another user owns it. */
  endpointAt(path: string): SocketEndpoint | undefined
  /** Rejects if no server listens there, or if the server runs as another user. */
  connect(endpoint: SocketEndpoint, createReceiver: (channel: ByteChannel) => ChannelReceiver): Promise<ByteChannel>
}

function endpointOf(path: string, uid: number): SocketEndpoint | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || !isOwnSocket({ uid: Number(stats.uid), mode: Number(stats.mode) }, uid)) return undefined
  return socketFolderFlaw(statSync(dirname(path)), uid) === undefined ? { path, file: fileMark(stats) } : undefined
}

export function createDialer(platform: NodeJS.Platform, uid: number | undefined): Dialer {
  // The peer of a pipe is identified as the newest pipe instance, which an outgoing connection may not be.
  const identify: ReturnType<typeof peerIdentifier> = platform === 'win32' ? () => ({ trust: 'directory' }) : peerIdentifier(platform)
  const endpointAt = (path: string): SocketEndpoint | undefined => {
    if (platform === 'win32' || uid === undefined) return { path, file: undefined }
    try {
      return endpointOf(path, uid)
    } catch {
      return undefined // The directory is not readable.
    }
  }
  return {
    endpointAt: endpointAt,
    connect: ({ path, file }, createReceiver) =>
      new Promise((resolve, reject) => {
        const socket = connect(path)
        socket.once('error', reject)
        socket.once('connect', () => {
          socket.off('error', reject)
          // A vanished peer is normal; 'close' follows.
          socket.on('error', () => {})
          const peer = identify(socket)
          if (peer.uid !== undefined && peer.uid !== uid) {
            peer.process?.release()
            socket.destroy()
            reject(new Error(`The server at ${path} runs as another user.`))
            return
          }
          if (endpointAt(path)?.file !== file) {
            socket.destroy()
            reject(new Error(`The socket at ${path} was replaced during the connection attempt.`))
            return
          }
          const channel = new SocketChannel(socket, peer)
          const receiver = createReceiver(channel)
          socket.on('data', (bytes: Buffer) => receiver.onBytes(bytes))
          socket.on('drain', () => receiver.onDrain())
          socket.once('end', () => receiver.onEnd())
          socket.once('close', () => {
            receiver.onClose()
            channel.release()
          })
          resolve(channel)
        })
      }),
  }
}
