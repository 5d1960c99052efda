/** Ports of the transports between a game and the daemon: channels of bytes, and channels of frames. */
import type { Closer } from '@sallyport/core/closer'
import type { LocalPeer } from '../../identity/system.ts'
import type { FrameSink } from '../framing/decoder.ts'

/** Verified identity of the peer. */
export interface PeerIdentity extends LocalPeer {
  /**
   * `kernel`: the operating system identified the process. `directory`: the peer could open a socket in a private directory, no more.
   * `origin`: only the Origin header of a browser, which any program on this machine can forge.
   */
  readonly trust: 'kernel' | 'directory' | 'origin'
  /** Present if the origin is the one of an embedded activity. */
  readonly isActivity?: true
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

/** Reports the senders of received bytes until it is stopped. */
export interface SenderWatch {
  /** Bytes that were sent before the watch began had not been read. */
  readonly hadUnread: boolean
  stop(): void
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
  /** Calls `onSender` with the sender process of each following chunk. Returns undefined, or is absent, on systems that do not identify senders. */
  watchSenders?(onSender: (pid: number | undefined) => void): SenderWatch | undefined
}

/** Receives the events of a frame channel. */
export interface FrameReceiver extends FrameSink {
  /** A read is complete. `unfinishedBytes`: bytes that are buffered for an incomplete frame. */
  onRead(unfinishedBytes: number): void
  /** Fewer bytes are unsent than before. */
  onDrain(): void
  /** The peer has ended its side, but may still read. */
  onEnd(): void
  /** The channel is closed; called once. */
  onClose(): void
}

/** Properties of a stream that the handshake sets. */
export interface StreamOptions {
  /** Largest accepted payload, in bytes. */
  readonly maxPayloadBytes: number
  /** One write may contain several frames. */
  readonly canBatch: boolean
}

/** Why the daemon closes a channel. */
export interface CloseMessage {
  readonly code: number
  readonly message: string
  /** Code and message in the encoding of the connection. */
  readonly payload: Buffer | string
}

/** A bidirectional channel of frames to one peer. Frames that are sent after its end are dropped. */
export interface FrameChannel {
  readonly peer: PeerIdentity
  /** Absent on transports with their own message limit. */
  setStreamOptions?(options: StreamOptions): void
  /** Queues a response, in a frame of `encodeMessage`. */
  send(frame: Buffer): void
  /** Queues a response whose payload is this text, of `bytes` bytes. */
  sendText(text: string, bytes: number): void
  /** Queues an event, in a frame of `encodeMessage`. The frame is shared with other channels. */
  sendEvent(frame: Buffer): void
  sendPong(payload: Buffer): void
  /** Sends the queued frames. */
  flush(): void
  /** Bytes that are queued or that the operating system has not accepted. */
  readonly unsentBytes: number
  /** Stops reading, so that the operating system applies backpressure to the peer. */
  pause(): void
  resume(): void
  /** Sends the queued frames and the message, then ends the channel. No frame is received after it. */
  end(message?: CloseMessage): void
  /** Closes the channel immediately. */
  destroy(): void
  /** Sends a PING at once. Absent on transports that identify no senders. */
  sendPing?(payload: Buffer): void
  /** As of ByteChannel. */
  watchSenders?(onSender: (pid: number | undefined) => void): SenderWatch | undefined
}

export interface Listener {
  /** Address for display. */
  readonly address: string
  /** Starts accepting connections. `onChannel` returns the receiver for each channel. */
  listen(onChannel: (channel: ByteChannel) => ChannelReceiver): Promise<Closer>
}
