/** Tells games what sources bring. The same news by several sources, or twice by one, reaches a connection once. */
import type { Clock } from '../core/clock.ts'
import type { Caller } from '../dispatch/caller.ts'
import type { SubscriptionHub } from '../subscriptions/hub.ts'
import { Recent } from './recent.ts'
import type { Tell } from './telling.ts'

export interface OnceParts {
  readonly hub: Pick<SubscriptionHub<Caller>, 'publish'>
  readonly clock: Clock
}

/** A connection that was not there, or did not listen, when the news first came still hears it from the next source. */
export function tellOnce({ hub, clock }: OnceParts): Tell {
  const toldOf = new Recent<WeakSet<Caller>>(clock)
  return ({ name, args, data, isFor, key }) => {
    if (key === undefined) return hub.publish({ name, args }, data, isFor)
    const known = toldOf.get([key])
    const told = known ?? new WeakSet()
    const count = hub.publish({ name, args }, data, (caller) => {
      if (told.has(caller) || !isFor(caller)) return false
      told.add(caller)
      return true
    })
    if (known === undefined && count > 0) toldOf.keep([key], told)
    return count
  }
}
