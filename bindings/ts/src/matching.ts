/** When two subscriptions are equal, and which events match a subscription. */
import { isFields } from './wire/message.ts'

/** The key of a subscription. As at the server, null equals a missing argument, and order does not matter. */
export function keyOf(event: string, args: object = {}): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  return `${event} ${JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)))}`
}

/**
 * Whether the event can belong to a subscription with these arguments. Dispatches do not name their subscription, so this compares `x_id`
 * with `data.x_id` or `data.x.id` if present. An event without that field matches every subscription.
 */
export function matches(args: object | undefined, data: unknown): boolean {
  if (args === undefined || !isFields(data)) return true
  return Object.entries(args).every(([key, expected]) => {
    const nested = data[key.replace(/_id$/, '')]
    const actual = data[key] ?? (key.endsWith('_id') && isFields(nested) ? nested['id'] : undefined)
    return actual === undefined || expected === undefined || expected === null || actual === expected
  })
}
