/** The port of the presence websocket, or the next free one: the rest of the bridge works without it. */
import { LOOPBACK } from '@sallyport/core/loopback'
import { type HeldPort, holdFirstFree } from '@sallyport/core/net/held-port'

export interface PresencePort {
  /** Undefined: it is not served. */
  readonly held: HeldPort | undefined
  readonly address: string | undefined
  /** The reason why pages do not find it on its usual port, as a sentence. */
  readonly reason: string | undefined
}

const PORTS_TRIED = 10
const LAST_PORT = 65_535

const portsFrom = (first: number): number[] =>
  Array.from({ length: PORTS_TRIED }, (_, index) => first + index).filter((port) => port <= LAST_PORT)

const reasonFor = (requested: number, bound: number | undefined): string | undefined => {
  if (bound === undefined)
    return `Port ${requested} and the ports after it cannot be opened, so the presence websocket is not served; set a free port with --bridge-port.`
  if (requested === 0 || requested === bound) return undefined
  return `Port ${requested} cannot be opened, most likely because another program uses it. The presence websocket is served on ${bound} instead; web clients that expect ${requested} do not find it.`
}

export async function holdPresencePort(port: number, onNeeded: () => void): Promise<PresencePort> {
  const held = await holdFirstFree(portsFrom(port), onNeeded)
  return { held, address: held === undefined ? undefined : `ws://${LOOPBACK}:${held.port}`, reason: reasonFor(port, held?.port) }
}
