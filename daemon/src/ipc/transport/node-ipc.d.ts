/** The part of node-ipc that this project uses; the package ships no types. */
declare module 'node-ipc' {
  import type { Server as NetServer, Socket } from 'node:net'

  interface IpcServer {
    server: NetServer | false
    readonly sockets: Socket[]
    on(event: 'connect' | 'close', handler: (socket: Socket) => void): this
    on(event: 'data', handler: (data: Buffer, socket: Socket) => void): this
    on(event: 'error', handler: (error: Error) => void): this
    /** Takes over a connected socket: its data, close and error become events of this server. */
    addSocket(socket: Socket): void
    stop(): void
  }

  export class IPCModule {
    readonly config: { silent: boolean; rawBuffer: boolean; unlink: boolean; maxConnections: number }
    readonly server: IpcServer
    /** Makes `server` for this path without starting it. */
    serve(path: string): void
  }
}
