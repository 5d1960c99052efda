/**
 * Calls as operators see them: values below names that no table knows are replaced, because a game may have put a secret there. The names
 * come from the schema and not from a check, which says nothing of them once another argument is invalid.
 */
import { COMMANDS, EVENTS, isCommandName, isEventName } from '@sallyport/protocol'
import { UNKNOWN } from '@sallyport/core/redacted'
import type * as z from 'zod'
import { knownIn } from './known-names.ts'

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of the message itself. */
const MEMBERS: ReadonlySet<string> = new Set(['cmd', 'nonce', 'args', 'evt', 'key'])

/** SUBSCRIBE and UNSUBSCRIBE take the arguments of their event. Undefined: no table has the command, or the event. */
function schemaOf(cmd: string, evt: unknown): z.ZodType | undefined {
  if (cmd === 'SUBSCRIBE' || cmd === 'UNSUBSCRIBE') return typeof evt === 'string' && isEventName(evt) ? EVENTS[evt].args : undefined
  return isCommandName(cmd) ? COMMANDS[cmd].args : undefined
}

/** `message`: of a game, without its secrets. */
export function masked(message: unknown): unknown {
  if (!isFields(message)) return message
  const { cmd, evt } = message
  if (typeof cmd !== 'string') return message
  const shown = (name: string, value: unknown): unknown => {
    if (name === 'args') return knownIn(value, schemaOf(cmd, evt))
    return MEMBERS.has(name) && (typeof value !== 'object' || value === null) ? value : UNKNOWN
  }
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, shown(name, value)]))
}
