/** Tells games what sources bring. The same news by several sources reaches a connection once. */
import type { Clock } from '@sallyport/core/clock'
import type { Session } from '../sessions/session.ts'
import type { SubscriptionHub } from './hub.ts'
import { isChange } from './news.ts'
import { Recent } from '@sallyport/core/expiring-map'
import type { Tell } from './telling.ts'

export interface OnceParts {
  readonly hub: Pick<SubscriptionHub<Session>, 'publish'>
  readonly clock: Clock
}

/** How often each source told a connection one piece of news. */
type Tally = Map<string, number>

/** A connection that was not there, or did not listen, when the news first came still hears it from the next source. */
export function tellOnce({ hub, clock }: OnceParts): Tell {
  const toldOf = new Recent<WeakMap<Session, Tally>>(clock)
  return (telling) => {
    const { name, args, data, isFor } = telling
    if (telling.key === undefined) return hub.publish({ name, args }, data, isFor)
    const { key, by } = telling
    const known = toldOf.get([key])
    const told = known ?? new WeakMap<Session, Tally>()
    const count = hub.publish({ name, args }, data, (caller) => isFor(caller) && isNew(told, caller, by, isChange(name)))
    if (known === undefined && count > 0) toldOf.keep([key], told)
    return count
  }
}

/**
 * Whether nobody told it so often before: the first pin of a message, told by two, is one; the second is news again. What begins or ends does
 * so once, however often it is told.
 */
function isNew(told: WeakMap<Session, Tally>, caller: Session, by: string, mayComeAgain: boolean): boolean {
  const tally: Tally = told.get(caller) ?? new Map()
  const times = mayComeAgain ? (tally.get(by) ?? 0) + 1 : 1
  const isFirst = [...tally.values()].every((others) => others < times)
  told.set(caller, tally.set(by, times))
  return isFirst
}
