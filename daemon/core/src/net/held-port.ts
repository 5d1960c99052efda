/** TCP ports on loopback whose connections wait until they are served. */
import { LOOPBACK } from '../loopback.ts'
import { HeldServer, type Serve } from './held-server.ts'

export interface HeldPort {
  readonly port: number
  serve(serve: Serve<undefined>): void
  /** Stops listening. Connections that are served stay open. */
  close(): Promise<void>
}

/** `port` 0: any free port. `onNeeded`: as in HeldServer. Rejects with the system error. */
export async function holdPort(port: number, onNeeded: () => void = () => {}): Promise<HeldPort> {
  const held = await HeldServer.listen({ port, host: LOOPBACK }, { identify: () => undefined, release: () => {}, onNeeded })
  return { port: held.port ?? port, serve: (serve) => held.serve(serve), close: () => held.close() }
}

/** Holds the first of the ports that is free; undefined if none is. */
export async function holdFirstFree(ports: Iterable<number>, onNeeded?: () => void): Promise<HeldPort | undefined> {
  for (const port of ports) {
    try {
      return await holdPort(port, onNeeded)
    } catch {
      // The next port may be free.
    }
  }
  return undefined
}
