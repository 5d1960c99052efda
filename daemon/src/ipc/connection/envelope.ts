/** Parses the message envelope `{cmd, nonce, args?, evt?, key?}`. Other members are ignored. */
import { LIMITS } from '@sallyport/protocol'
import type { CallSteps } from '@sallyport/core/current-call'
import { BridgeError } from '@sallyport/core/errors'

export interface Envelope {
  readonly cmd: string
  /** Echoed unchanged; null if the game sent none. */
  readonly nonce: string | number | null
  readonly args: unknown
  readonly evt: unknown
  /** Number of the message on its connection, from 1. */
  readonly sequence: number
  /** Of a call that takes effect once. Absent without one, so that others cost no memory for it. */
  readonly key?: string
  /** Set while an operator watches calls. Not a member of each envelope, so that others cost no memory for it. */
  steps?: CallSteps
}

/** The part of an envelope that a response needs. */
export interface CallHeader extends Pick<Envelope, 'cmd' | 'nonce' | 'sequence'> {
  /** When its frame was read, by the meter of calls; absent while that read goes on. */
  readonly startedAt?: number
}

/** Without the arguments, which may be large. */
export const headerOf = ({ cmd, nonce, sequence }: Envelope, startedAt: number): CallHeader => ({ cmd, nonce, sequence, startedAt })

/** How a game, the log, a trace and the platform name a call: `c12-345`. */
export const callIdOf = (connectionId: number, sequence: number): string => `c${connectionId}-${sequence}`

/** Longest echoed command name; all commands are far shorter. */
const MAX_NAME = 128

const invalid = (message: string, path: string) => new BridgeError('INVALID_PAYLOAD', message, { path })

/** An object or array cannot name an event, so its contents are dropped. */
const NO_EVENT = {}
const eventOf = (evt: unknown): unknown => (typeof evt === 'object' && evt !== null ? NO_EVENT : evt)

const isNonce = (nonce: unknown): nonce is string | number =>
  typeof nonce === 'number' || (typeof nonce === 'string' && nonce.length <= LIMITS.nonceCharacters.value)

const isKey = (key: unknown): key is string => typeof key === 'string' && key.length <= LIMITS.callKeyCharacters.value

/** The nonce of a message with an invalid envelope, so that the error reaches the right call. */
export const nonceOf = (message: unknown): string | number | null => {
  const nonce = typeof message === 'object' && message !== null && 'nonce' in message ? message.nonce : null
  return isNonce(nonce) ? nonce : null
}

/** Returns errors instead of throwing, because there is no command to respond to. */
export function readEnvelope(message: unknown, sequence: number): Envelope | BridgeError {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return invalid('A frame must be an object with "cmd" and "nonce".', '')
  }
  const { cmd, nonce = null, args, evt, key = null } = message as Record<string, unknown>
  if (typeof cmd !== 'string') return invalid('"cmd" must be a string: the name of a command.', 'cmd')
  if (cmd.length > MAX_NAME) return invalid('"cmd" is longer than any command.', 'cmd')
  if (nonce !== null && !isNonce(nonce))
    return invalid(`"nonce" must be a string of at most ${LIMITS.nonceCharacters.value} characters.`, 'nonce')
  if (typeof evt === 'string' && evt.length > LIMITS.eventNameCharacters.value)
    return invalid(`"evt" must be a string of at most ${LIMITS.eventNameCharacters.value} characters.`, 'evt')
  if (key !== null && !isKey(key)) return invalid(`"key" must be a string of at most ${LIMITS.callKeyCharacters.value} characters.`, 'key')
  return key === null ? { cmd, nonce, args, evt: eventOf(evt), sequence } : { cmd, nonce, args, evt: eventOf(evt), sequence, key }
}
