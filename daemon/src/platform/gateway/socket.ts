/** Port for one gateway websocket: sends texts and receives decompressed texts, in order. */

export type GatewayCompression = 'none' | 'zlib-stream' | 'zstd-stream'

/** The problem when a message has more than gatewayMessageBytes. */
export const MESSAGE_TOO_LARGE = 'MESSAGE_TOO_LARGE'

/** Called in order. `onClosed` is last and called exactly once, also for a socket that never opened. */
export interface GatewaySocketListener {
  readonly onMessage: (text: string) => void
  /** A message of LARGE_BYTES or more. The next callback comes when it has resolved; it gives up when the socket `isOver`. Never rejects. */
  readonly onLargeMessage: (bytes: Buffer, isOver: () => boolean) => Promise<void>
  /** A message cannot be decompressed or is too large; the socket is still open. */
  readonly onUnreadable: (problem: string) => void
  /** `code` is undefined without a close frame; `problem` then describes the failure, without addresses. */
  readonly onClosed: (code: number | undefined, problem?: string) => void
}

export interface GatewaySocket {
  /** Call only after the first message, which shows that the socket is open. */
  readonly send: (text: string) => void
  /** Sends a close frame; `onClosed` follows the gateway's close frame. */
  readonly close: (code: number) => void
  /** Terminates the socket immediately; `onClosed` follows. */
  readonly destroy: () => void
}

/** Starts to connect. `url` includes its query. No callback runs before it returns. */
export type DialGateway = (url: string, compress: GatewayCompression, listener: GatewaySocketListener) => GatewaySocket
