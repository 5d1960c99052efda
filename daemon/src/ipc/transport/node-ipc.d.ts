/** Types for the used part of node-ipc; the package ships none. */
declare module 'node-ipc' {
  import type { Socket } from 'node:net'

  interface IpcServer {
    readonly sockets: Socket[]
    on(event: 'connect' | 'close', handler: (socket: Socket) => void): this
    on(event: 'data', handler: (data: Buffer, socket: Socket) => void): this
    on(event: 'error', handler: (error: Error) => void): this
    /** Adds a connected socket. This server then emits its data, close and error events. */
    addSocket(socket: Socket): void
    stop(): void
  }

  export class IPCModule {
    readonly config: { silent: boolean; rawBuffer: boolean; unlink: boolean; maxConnections: number }
    readonly server: IpcServer
    /** Creates `server` for this path without starting it. */
    serve(path: string): void
  }
}
