/** SUBSCRIBE and UNSUBSCRIBE: the event row decides about arguments and scopes. */
import { EVENTS, type EventRow, type Parser, parserOf } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext, Handler } from '../context.ts'
import { validate } from '../validate.ts'
import { admit } from '../../sessions/required-scopes.ts'
import type { DesiredEvent } from '../../events/hub.ts'

interface Topic {
  readonly row: EventRow
  readonly parse: Parser<EventRow['args']>
}

/** Parsers compile at their first use. */
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

const desired = ({ row, parse }: Topic, args: unknown): DesiredEvent => ({
  name: row.name,
  args: validate(parse, args ?? {}) ?? {},
})

export const subscribe: Handler<'SUBSCRIBE'> = (args, context, evt) => {
  const { caller, services } = context
  const topic = topicOf(evt)
  admit(topic.row.name, topic.row.requires, caller.scopes)
  const event = desired(topic, args)
  const withdraw = services.hub.subscribe(caller, event)
  const welcomed = services.sources.welcome(caller, event)
  const answer = { evt: topic.row.name }
  return welcomed === undefined ? answer : answeredAfter(welcomed, answer, withdraw, context)
}

/** What is refused is not subscribed. */
async function answeredAfter<T>(welcomed: Promise<void>, answer: T, withdraw: () => void, context: CallContext): Promise<T> {
  try {
    await context.wait(() => welcomed)
    return answer
  } catch (failure) {
    withdraw()
    throw failure
  }
}

export const unsubscribe: Handler<'UNSUBSCRIBE'> = (args, { caller, services }, evt) => {
  const topic = topicOf(evt)
  services.hub.unsubscribe(caller, desired(topic, args))
  return { evt: topic.row.name }
}
