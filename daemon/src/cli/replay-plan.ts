/** What the frames of a recording would do, and which of them may be played. Pure. */
import { COMMANDS, type CommandRow, ENDPOINTS, type EndpointRow } from '@sallyport/protocol'
import { BoundedMap } from '@sallyport/core/bounded-map'
import { REDACTED, redacted, UNKNOWN } from '@sallyport/core/redacted'
import type { OptionValues } from '../config/schema.ts'
import type { InspectedFrame } from './frame-feed.ts'

/** What the user must allow by name. */
export type Risk = OptionValues['allow'][number]

export type Message = Readonly<Record<string, unknown>>

export const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && !Array.isArray(value)
export const messageOf = ({ message }: { readonly message?: unknown }): Message => (isMessage(message) ? message : {})

export const hasMarker = (value: unknown): boolean =>
  value === REDACTED || (typeof value === 'object' && value !== null && Object.values(value).some(hasMarker))

/** The arguments that the recording has: without those whose value it does not have, because no table knows them. */
export function withoutUnknown(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(withoutUnknown)
  if (!isMessage(args)) return args
  const known = Object.entries(args).filter(([, value]) => value !== UNKNOWN)
  return Object.fromEntries(known.map(([name, value]) => [name, withoutUnknown(value)]))
}

const commandRow = (name: unknown): CommandRow | undefined =>
  Object.hasOwn(COMMANDS, String(name)) ? COMMANDS[name as keyof typeof COMMANDS] : undefined
const endpointRow = (name: unknown): EndpointRow | undefined =>
  Object.hasOwn(ENDPOINTS, String(name)) ? ENDPOINTS[name as keyof typeof ENDPOINTS] : undefined

/** Whether these arguments name a file by its path, anywhere in the argument of the row that has files. */
function namesFile({ cmd, args }: Message): boolean {
  const { upload } = endpointRow(cmd) ?? {}
  if (upload === undefined || !isMessage(args)) return false
  return [args[upload.argument]].flat().some((file) => isMessage(file) && 'path' in file)
}

/** How each risk is recognised in the message of a frame. */
const RISKS: Readonly<Record<Risk, (message: Message) => boolean>> = {
  files: namesFile,
  launch: ({ cmd }) => commandRow(cmd)?.launches !== undefined,
  // What `record` writes has no secrets, so the author of the file brought a secret in it.
  tokens: (message) => JSON.stringify(redacted(message)) !== JSON.stringify(message),
}
const RISK_NAMES = Object.keys(RISKS) as readonly Risk[]

const risksOf = (frame: InspectedFrame): readonly Risk[] => RISK_NAMES.filter((risk) => RISKS[risk](messageOf(frame)))

const RISK_TEXTS: Readonly<Record<Risk, string>> = {
  files: 'names files of yours',
  launch: 'registers a program to launch',
  tokens: 'brings a token or another secret',
}

/** What the name of a frame is in lists. Names that no table has are all one. */
export const nameOf = (frame: InspectedFrame): string => {
  const { cmd } = messageOf(frame)
  if (frame.opcode !== 'FRAME') return frame.opcode
  return commandRow(cmd)?.name ?? 'a command that no table has'
}

/** Why a frame is not played; undefined if it is. */
export type Guard = (frame: InspectedFrame) => string | undefined

export function guardOf(allowed: readonly Risk[]): Guard {
  return (frame) => {
    const missing = risksOf(frame).filter((risk) => !allowed.includes(risk))
    if (missing.length === 0) return undefined
    return `which ${missing.map((risk) => RISK_TEXTS[risk]).join(' and ')} (to play it: --allow ${missing.join(',')})`
  }
}

export interface CallCount {
  readonly count: number
  readonly risks: ReadonlySet<Risk>
  readonly isDestructive: boolean
  readonly isSignIn: boolean
}

export interface Survey {
  /** The calls by command. */
  readonly calls: ReadonlyMap<string, CallCount>
  /** The scopes of each sign-in that succeeded, by `callKey`. */
  readonly signIns: ReadonlyMap<string, readonly string[]>
}

/** Sign-ins whose scopes are kept. */
const MAX_SIGN_INS = 1024

export const callKey = (connection: number, { nonce }: Message): string => JSON.stringify([connection, nonce ?? null])

export function surveyOf(frames: Iterable<InspectedFrame>): Survey {
  const calls = new Map<string, CallCount>()
  const signIns = new BoundedMap<string, readonly string[]>(MAX_SIGN_INS)
  for (const frame of frames) {
    const message = messageOf(frame)
    const { cmd, evt, data } = message
    if (frame.direction === 'in') {
      if (frame.opcode !== 'FRAME') continue
      const name = nameOf(frame)
      const { count = 0, risks } = calls.get(name) ?? {}
      calls.set(name, {
        count: count + 1,
        risks: new Set([...(risks ?? []), ...risksOf(frame)]),
        isDestructive: commandRow(cmd)?.destructive === true,
        isSignIn: cmd === 'AUTHENTICATE',
      })
    } else if (cmd === 'AUTHENTICATE' && evt !== 'ERROR' && isMessage(data) && Array.isArray(data['scopes']))
      signIns.set(
        callKey(frame.connection, message),
        data['scopes'].filter((scope) => typeof scope === 'string'),
      )
  }
  return { calls, signIns }
}

/** The calls, a line for each command, for the user to read before they are made. */
export function surveyText({ calls }: Survey, allowed: readonly Risk[]): string {
  const rows = [...calls].map(([name, { count, risks, isDestructive, isSignIn }]) => {
    const marks = [
      ...(isSignIn ? ['signs in with your account'] : []),
      ...(isDestructive ? ['deletes permanently'] : []),
      ...[...risks].map((risk) => `${RISK_TEXTS[risk]}: ${allowed.includes(risk) ? 'allowed' : `not played without --allow ${risk}`}`),
    ]
    return `  ${count} × ${name}${marks.length === 0 ? '' : ` (${marks.join('; ')})`}`
  })
  return rows.length === 0 ? '  none' : rows.join('\n')
}

/** Plays only what the survey counted, so that a file that changed since does nothing else. */
export function withinSurvey({ calls }: Survey, guard: Guard): Guard {
  const left = new Map([...calls].map(([name, { count }]) => [name, count]))
  return (frame) => {
    if (frame.opcode !== 'FRAME') return guard(frame)
    const name = nameOf(frame)
    const count = left.get(name) ?? 0
    if (count === 0) return 'which was not in the list, because the file changed'
    left.set(name, count - 1)
    return guard(frame)
  }
}
