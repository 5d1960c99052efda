/** When two subscriptions are the same, and which events belong to one. */
import { isFields } from './wire/message.ts'

/** JSON with sorted keys, so that equal arguments have one spelling. */
function spelling(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spelling).join()}]`
  if (!isFields(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value).filter((key) => value[key] !== undefined)
  return `{${members
    .sort()
    .map((key) => `${JSON.stringify(key)}:${spelling(value[key])}`)
    .join()}}`
}

/** One text per distinct subscription. */
export const keyOf = (event: string, args: object | undefined): string => `${event} ${spelling(args ?? {})}`

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
