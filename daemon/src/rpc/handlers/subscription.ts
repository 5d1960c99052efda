/** SUBSCRIBE and UNSUBSCRIBE: the event row defines arguments and scopes. */
import { EVENTS, type EventRow, type Parser, parserOf } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext, Handler } from '../context.ts'
import { validate } from '../validate.ts'
import { requireScopes } from '../../sessions/required-scopes.ts'
import type { EventSelector } from '../../events/subscription-registry.ts'

interface Topic {
  readonly row: EventRow
  readonly parse: Parser<EventRow['args']>
}

/** Each parser compiles at its first use. */
const TOPICS: ReadonlyMap<string, Topic> = new Map(
  Object.values<EventRow>(EVENTS).map((row) => [row.name, { row, parse: parserOf(row.args) }]),
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

const eventSelector = ({ row, parse }: Topic, args: unknown): EventSelector => ({
  name: row.name,
  args: validate(parse, args ?? {}) ?? {},
})

export const subscribe: Handler<'SUBSCRIBE'> = (args, context, evt) => {
  const { session, services } = context
  const topic = topicOf(evt)
  requireScopes(topic.row.name, topic.row.requires, session.scopes)
  const event = eventSelector(topic, args)
  const undo = services.subscriptions.subscribe(session, event)
  const confirmed = services.eventProviders.confirm(session, event)
  const answer = { evt: topic.row.name }
  return confirmed === undefined ? answer : afterConfirmation(confirmed, answer, undo, context)
}

/** Undoes the subscription if its confirmation fails. */
async function afterConfirmation<T>(confirmed: Promise<void>, answer: T, undo: () => void, context: CallContext): Promise<T> {
  try {
    await context.withDeadline(() => confirmed)
    return answer
  } catch (failure) {
    undo()
    throw failure
  }
}

export const unsubscribe: Handler<'UNSUBSCRIBE'> = (args, { session, services }, evt) => {
  const topic = topicOf(evt)
  services.subscriptions.unsubscribe(session, eventSelector(topic, args))
  return { evt: topic.row.name }
}
