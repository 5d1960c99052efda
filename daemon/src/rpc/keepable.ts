/** What a trace keeps of a message. */
import { BUDGETS } from '@sallyport/core/budgets'

/** With its bytes as JSON. Undefined: too large to keep, or nothing. */
export function keepable(value: unknown): { readonly value: unknown; readonly bytes: number } | undefined {
  const text = JSON.stringify(value)
  if (text === undefined) return undefined
  const bytes = Buffer.byteLength(text)
  return bytes > BUDGETS.tracedFrameBytes.value ? undefined : { value, bytes }
}
