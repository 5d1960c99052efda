/** SUBSCRIBE and UNSUBSCRIBE: the event row defines arguments and scopes. */
import { type DataOf, eventArgsParser, EVENTS, type EventRow, type Parser } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { EventProviders } from '../../events/providers.ts'
import type { EventSelector, SubscriptionRegistry } from '../../events/subscription-registry.ts'
import { awaitsSignIn, requireScopes } from '../../sessions/required-scopes.ts'
import type { Session } from '../../sessions/session.ts'
import type { CallContext, HandlerMap } from '../context.ts'
import { validate } from '../validate.ts'

export interface SubscriptionDeps {
  readonly subscriptions: Pick<SubscriptionRegistry<Session>, 'subscribe' | 'unsubscribe'>
  /** The providers of events. */
  readonly eventProviders: Pick<EventProviders, 'confirm' | 'unserved'>
}

interface Topic {
  readonly row: EventRow
  readonly parse: Parser<EventRow['args']>
}

const TOPICS: ReadonlyMap<string, Topic> = new Map(
  Object.values<EventRow>(EVENTS).map((row) => [row.name, { row, parse: eventArgsParser(row) }]),
)

const MAX_NAME = 64

function topicOf(evt: unknown): Topic {
  if (typeof evt !== 'string') throw new BridgeError('INVALID_EVENT', '"evt" must name the event.', { path: 'evt' })
  const topic = TOPICS.get(evt)
  if (topic === undefined) throw new BridgeError('INVALID_EVENT', `No event is named "${evt.slice(0, MAX_NAME)}".`, { path: 'evt' })
  if (topic.row.delivery === 'automatic') {
    throw new BridgeError('INVALID_EVENT', `${topic.row.name} arrives by itself and cannot be subscribed.`, { path: 'evt' })
  }
  return topic
}

/** What the session misses of the event, as a sentence. */
const narrowedTo = ({ name, narrowed }: EventRow, { scopes }: Session): string | undefined =>
  narrowed === undefined || scopes.has(narrowed.without)
    ? undefined
    : `Without the scope ${narrowed.without}, ${name} comes only from ${narrowed.to}. The subscription stays.`

const eventSelector = ({ row, parse }: Topic, args: unknown): EventSelector => ({
  name: row.name,
  args: validate(parse, args ?? {}) ?? {},
})

/** Undoes the subscription if its confirmation fails. */
async function afterConfirmation<T>(confirmed: Promise<void>, answer: () => T, undo: () => void, context: CallContext): Promise<T> {
  try {
    await context.withDeadline(() => confirmed)
    return answer()
  } catch (failure) {
    undo()
    throw failure
  }
}

export const subscriptionHandlers = ({ subscriptions, eventProviders }: SubscriptionDeps) =>
  ({
    SUBSCRIBE: (args, context) => {
      const { session } = context
      const topic = topicOf(context.evt)
      if (topic.row.awaitsSignIn !== true || !awaitsSignIn(session)) requireScopes(topic.row.name, topic.row.requires, session)
      const event = eventSelector(topic, args)
      const undo = subscriptions.subscribe(session, event)
      const confirmed = eventProviders.confirm(session, event)
      const answer = (): DataOf<'SUBSCRIBE'> => {
        const unserved = eventProviders.unserved(session, event) ?? narrowedTo(topic.row, session)
        return { evt: topic.row.name, ...(unserved === undefined ? {} : { unserved }) }
      }
      return confirmed === undefined ? answer() : afterConfirmation(confirmed, answer, undo, context)
    },

    UNSUBSCRIBE: (args, { session, evt }) => {
      const topic = topicOf(evt)
      subscriptions.unsubscribe(session, eventSelector(topic, args))
      return { evt: topic.row.name }
    },
  }) satisfies Partial<HandlerMap>
