/** TCP ports on loopback whose connections wait until they are served. */
import { BoundSocket } from 'node:net'
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
  // Bound here, because `listen` looks up a host name: 7 ms of CPU at each start, for the modules of DNS and the pattern of IPv6 addresses.
  const held = await HeldServer.listen(new BoundSocket({ host: LOOPBACK, port }), {
    identify: () => undefined,
    release: () => {},
    onNeeded,
  })
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
