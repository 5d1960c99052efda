/**
 * Calls as operators see them: values below names that no table knows are replaced, because a game may have put a secret there. The names
 * come from the schema and not from a check, which says nothing of them once another argument is invalid.
 */
import { COMMANDS, EVENTS, isCommandName, isEventName, MESSAGES } from '@sallyport/protocol'
import { UNKNOWN } from '@sallyport/core/redacted'
import type * as z from 'zod'
import { knownIn } from './known-names.ts'

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of each kind of message that the daemon reads, or that say why a game left. */
const MEMBERS = {
  HANDSHAKE: new Set(['v', 'client_id', 'encoding', 'contract', 'sdk_version', 'max_frame_bytes', 'streams']),
  FRAME: new Set<string>(Object.keys(MESSAGES.call)),
  CLOSE: new Set(['code', 'message']),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>

/** SUBSCRIBE and UNSUBSCRIBE take the arguments of their event. Undefined: no table has the command, or the event. */
export function schemaOf(cmd: string, evt: unknown): z.ZodType | undefined {
  if (cmd === 'SUBSCRIBE' || cmd === 'UNSUBSCRIBE') return typeof evt === 'string' && isEventName(evt) ? EVENTS[evt].args : undefined
  return isCommandName(cmd) ? COMMANDS[cmd].args : undefined
}

/** `message`: of a game, without its secrets. `opcode`: what it came in. */
export function masked(message: unknown, opcode: keyof typeof MEMBERS = 'FRAME'): unknown {
  if (!isFields(message)) return UNKNOWN
  const { cmd, evt } = message
  const shown = (name: string, value: unknown): unknown => {
    if (opcode === 'FRAME' && name === 'args') return knownIn(value, typeof cmd === 'string' ? schemaOf(cmd, evt) : undefined)
    return MEMBERS[opcode].has(name) && (typeof value !== 'object' || value === null) ? value : UNKNOWN
  }
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, shown(name, value)]))
}
