/** Byte transport between a game and the daemon, below the framing layer. */
import type { Closer } from '@sallyport/core/closer'
import type { LocalPeer } from '../../identity/system.ts'

/** Verified identity of the peer. */
export interface PeerIdentity extends LocalPeer {
  /**
   * `kernel`: the operating system identified the process. `directory`: the peer could open a socket in a private directory, no more.
   * `origin`: only the Origin header of a browser, which any program on this machine can forge.
   */
  readonly trust: 'kernel' | 'directory' | 'origin'
}

/** Receives the events of a channel. */
export interface ChannelReceiver {
  /** Bytes, in order, in any chunking. The buffer may be reused after the call returns. */
  onBytes(chunk: Buffer): void
  /** The peer has read the pending bytes. */
  onDrain(): void
  /** The peer has ended its side, but may still read. */
  onEnd(): void
  /** The channel is closed; called once. */
  onClose(): void
}

/** A bidirectional byte stream to one peer. */
export interface ByteChannel {
  readonly peer: PeerIdentity
  /** Sends bytes in one write. Returns false if the peer is behind; wait for onDrain before sending more. */
  write(bytes: Buffer): boolean
  /** Bytes passed to `write` that the operating system has not accepted yet. */
  readonly pendingBytes: number
  /** Stops reading, so that the operating system applies backpressure to the peer. */
  pause(): void
  resume(): void
  /** Sends pending bytes, then ends the channel. */
  end(): void
  /** Closes the channel immediately. */
  destroy(): void
  /**
   * Calls `onSender` with the sender process of each following chunk, until the returned function is called. Returns undefined, or is absent,
   * on systems that do not identify senders.
   */
  watchSenders?(onSender: (pid: number | undefined) => void): (() => void) | undefined
}

export interface Listener {
  /** Address for display. */
  readonly address: string
  /** Starts accepting connections. `onChannel` returns the receiver for each channel. */
  listen(onChannel: (channel: ByteChannel) => ChannelReceiver): Promise<Closer>
}
