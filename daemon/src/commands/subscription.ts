/** SUBSCRIBE and UNSUBSCRIBE: the event row decides about arguments and scopes. */
import { EVENTS, type EventRow } from '@sallyport/protocol'
import { BridgeError } from '../core/errors.ts'
import type { Handler } from '../dispatch/context.ts'
import { validate } from '../dispatch/validate.ts'
import { admit } from '../gate/gate.ts'
import type { DesiredEvent } from '../subscriptions/hub.ts'

function rowOf(evt: unknown): EventRow {
  if (typeof evt !== 'string') throw new BridgeError('INVALID_EVENT', '"evt" must name the event.', { path: 'evt' })
  const row: EventRow | undefined = Object.hasOwn(EVENTS, evt) ? EVENTS[evt as keyof typeof EVENTS] : undefined
  if (row === undefined) throw new BridgeError('INVALID_EVENT', `No event is named "${evt.slice(0, 64)}".`, { path: 'evt' })
  if (row.delivery === 'automatic') throw new BridgeError('INVALID_EVENT', `${row.name} arrives by itself and cannot be subscribed.`, { path: 'evt' })
  return row
}

const desired = (row: EventRow, args: unknown): DesiredEvent => ({ name: row.name, args: (validate(row.args, args ?? {}) ?? {}) as object })

export const subscribe: Handler<'SUBSCRIBE'> = (args, { caller, services }, evt) => {
  const row = rowOf(evt)
  admit(row.name, row.requires, caller.scopes)
  services.hub.subscribe(caller, desired(row, args))
  return { evt: row.name }
}

export const unsubscribe: Handler<'UNSUBSCRIBE'> = (args, { caller, services }, evt) => {
  const row = rowOf(evt)
  services.hub.unsubscribe(caller, desired(row, args))
  return { evt: row.name }
}
