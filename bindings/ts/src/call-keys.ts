/** Keys of calls: with one, a bridge makes a call at most once, so that it can be repeated after a broken connection. */
import { randomBytes } from 'node:crypto'
import { ERRORS } from '@sallyport/protocol/errors'
import { KEYED_COMMANDS } from '@sallyport/protocol/keyed-commands'
import { LIMITS } from '@sallyport/protocol/limits'
import { CallError } from './errors.ts'
import type { Server } from './server.ts'

const KEY_BYTES = 16
const KEY = /^[0-9a-f]{32}$/

/** A new key, for a call that the game stores before it makes it. */
export const newCallKey = (): string => randomBytes(KEY_BYTES).toString('hex')

/**
 * The key of a call on this server; undefined for a call without one; an error if the server would not keep to the key of the game. A client that
 * repeats nothing makes no keys: they have no use, and a bridge keeps a limited number.
 */
export function callKeyFor(
  command: string,
  { callKeys }: Pick<Server, 'callKeys'>,
  repeats: boolean,
  given?: string,
): string | CallError | undefined {
  const isTaken = callKeys === true && KEYED_COMMANDS.has(command)
  if (given === undefined) return isTaken && repeats ? newCallKey() : undefined
  const refused = (why: string) =>
    new CallError(command, { code: ERRORS.INVALID_PAYLOAD.code, message: `${command} was not sent: ${why}`, path: 'key' })
  if (!isTaken) return refused(`${callKeys === true ? 'this command' : 'this server'} takes no key`)
  return KEY.test(given) ? given : refused('the key must have 32 hexadecimal digits in lower case')
}

/** A call that may be sent again on another connection. */
export interface KeyedCall {
  /** The user who was signed in when it was first sent: for another one, it would be another call. */
  readonly userId: string | undefined
  /** Milliseconds of the client's clock. */
  readonly madeAtMs: number
}

/** The bridge keeps a key for twice as long, by another clock. */
const REPEATABLE_MS = LIMITS.maxDeadlineMs.value

/** The connection on which held calls may be sent again. */
export interface RepeatConditions {
  readonly callKeys: boolean
  readonly userId: string | undefined
  /** No answer that is still to come can change that user. */
  readonly isUserCertain: boolean
  /** The client signs in again by itself. */
  readonly maySignIn: boolean
  readonly nowMs: number
}

/** `wait`: until the user is certain, or signed in again. `give-up`: the outcome stays unknown. Pure. */
export function repeatDecision({ userId, madeAtMs }: KeyedCall, now: RepeatConditions): 'send' | 'wait' | 'give-up' {
  if (!now.callKeys || now.nowMs - madeAtMs > REPEATABLE_MS) return 'give-up'
  if (!now.isUserCertain) return 'wait'
  if (now.userId === userId) return 'send'
  return now.userId === undefined && now.maySignIn ? 'wait' : 'give-up'
}
