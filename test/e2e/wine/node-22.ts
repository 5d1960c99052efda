/** Old Wine runs Node 22 only, which has no BoundSocket. The daemon makes none on Windows, so a class without instances is enough. */
import net from 'node:net'

/** Gives `node:net` that class where it is missing. Call it before the daemon listens. */
export function supplyBoundSocket(): void {
  if (!Object.hasOwn(net, 'BoundSocket')) Object.assign(net, { BoundSocket: class BoundSocket extends net.Socket {} })
}
