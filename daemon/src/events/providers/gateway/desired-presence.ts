/** The presence that each connection sends in Identify. The presence channel writes it, connections read it. */
import type { GatewayIdentity } from '../../../platform/gateway/gateway.ts'
import { identityKey } from './demand.ts'

export class DesiredPresence {
  readonly #byIdentity = new Map<string, object>()

  /** `update`: the payload of a presence update; undefined: none. */
  set(identity: GatewayIdentity, update: object | undefined): void {
    if (update === undefined) this.#byIdentity.delete(identityKey(identity))
    else this.#byIdentity.set(identityKey(identity), update)
  }

  /** The payload of a presence update; undefined: none. */
  of(identity: GatewayIdentity): object | undefined {
    return this.#byIdentity.get(identityKey(identity))
  }
}
