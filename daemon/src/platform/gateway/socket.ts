/** One websocket to the gateway as a port: texts go out, unpacked texts come in, in order. */

export type GatewayCompression = 'none' | 'zlib-stream' | 'zstd-stream'

/** Called in order; nothing follows `onClosed`, which comes exactly once, also for a socket that never opened. */
export interface GatewaySocketListener {
  readonly onMessage: (text: string) => void
  /** What came cannot be unpacked, or is too large; the socket is still open. */
  readonly onUnreadable: (problem: string) => void
  /** `code` undefined: it broke without a word; `problem` then says how, without addresses. */
  readonly onClosed: (code: number | undefined, problem?: string) => void
}

export interface GatewaySocket {
  /** Only while it is open, which the first message shows. */
  readonly send: (text: string) => void
  /** Says goodbye; `onClosed` follows when the other side answers. */
  readonly close: (code: number) => void
  /** Ends it at once; `onClosed` follows. */
  readonly destroy: () => void
}

/** Begins to connect. `url` has its query. Nothing is called before it returns. */
export type DialGateway = (url: string, compress: GatewayCompression, listener: GatewaySocketListener) => GatewaySocket
