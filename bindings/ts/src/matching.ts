/** When two subscriptions are the same, and which events belong to one. */
import { isFields } from './wire/message.ts'

/** One text per subscription as servers tell them apart: an argument that is null says no more than one that is left out, and order says nothing. */
export function keyOf(event: string, args: object = {}): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  return `${event} ${JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)))}`
}

/**
 * Whether the event can belong to a subscription with these arguments. Dispatches do not say which subscription they answer, so `x_id` is
 * compared with `data.x_id` or `data.x.id` where there is one; an event that says nothing about it is for every subscription.
 */
export function concerns(args: object | undefined, data: unknown): boolean {
  if (args === undefined || !isFields(data)) return true
  return Object.entries(args).every(([key, wanted]) => {
    const nested = data[key.replace(/_id$/, '')]
    const actual = data[key] ?? (key.endsWith('_id') && isFields(nested) ? nested['id'] : undefined)
    return actual === undefined || wanted === undefined || wanted === null || actual === wanted
  })
}
