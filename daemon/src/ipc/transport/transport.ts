/** What carries bytes between a game and the daemon. Nothing here knows frames. */
import type { Closer } from '@sallyport/core/closer'
import type { LocalPeer } from '../../identity/system.ts'

/** What was proved about who is at the other end. */
export interface PeerIdentity extends LocalPeer {
  /**
   * `kernel` = the operating system named the process; `directory` = only that it could open a socket in a private directory;
   * `origin` = nothing but what a browser says of the page that it runs: any program of this machine could say the same.
   */
  readonly trust: 'kernel' | 'directory' | 'origin'
}

/** Takes what a link receives. */
export interface ChannelReceiver {
  /** Bytes, in order, in any chunking. The buffer may be reused after the call returns. */
  onBytes(chunk: Buffer): void
  /** The peer took what was waiting. */
  onDrain(): void
  /** The peer sends nothing more, but may still read. */
  onEnd(): void
  /** No more bytes either way; called once. */
  onClose(): void
}

/** One connection. */
export interface ByteChannel {
  readonly peer: PeerIdentity
  /** Sends bytes in one write. False: the peer is behind; wait for onDrain before sending more. */
  write(bytes: Buffer): boolean
  /** Bytes handed to `write` that the operating system has not taken. */
  readonly pendingBytes: number
  /** Stops reading, so that the operating system slows the peer down. */
  pause(): void
  resume(): void
  /** Sends what waits, then ends the connection. */
  end(): void
  /** Ends the connection now. */
  destroy(): void
  /**
   * From now on, `onSender` hears which process sent the bytes that come next, until the function that it gives is called. Undefined, or absent,
   * where the system does not say.
   */
  watchSenders?(onSender: (pid: number | undefined) => void): (() => void) | undefined
}

export interface Listener {
  /** Address as a person would type it. */
  readonly address: string
  /** Starts to accept. The receiver for each link comes from `onLink`. */
  listen(onLink: (link: ByteChannel) => ChannelReceiver): Promise<Closer>
}
