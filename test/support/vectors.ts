/** Reads the conformance vectors: hand-written JSON files with input and expected output. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Expected value: an object can have more fields; lists and plain values must be equal; `$matches` and `$anyOf` allow several values, `$absent` none. */
export type Expected = unknown

export type Step =
  /** A call and its response: `data`, or `error` with the code, and optionally the path and a part of the message. */
  | {
      readonly call: string
      readonly args?: unknown
      readonly evt?: unknown
      readonly nonce?: string | number
      readonly data?: Expected
      readonly error?: number
      readonly path?: string
      readonly contains?: string
      /** Bytes per write; default: all in one write. */
      readonly chunk?: number
      /** Number of calls in one write. */
      readonly times?: number
    }
  /** AUTHENTICATE with a token of these scopes. */
  | { readonly signIn: readonly string[] }
  /** A raw frame: opcode, and a JSON payload or (text) a raw payload. */
  | { readonly frame: readonly [opcode: number, payload: unknown]; readonly chunk?: number; readonly times?: number }
  /** Bytes as hexadecimal text. */
  | { readonly bytes: string }
  /** The next frame: opcode, and a JSON payload or (text) a raw payload. */
  | { readonly gets: readonly [opcode: number, payload: Expected] }
  /** The next message. */
  | { readonly message: Expected }
  /** No frame is waiting: the next frame is the response to a ping. */
  | { readonly quiet: true }
  /** CLOSE with this code and a message, then the end of the connection. */
  | { readonly closed: number; readonly contains?: string }
  /** The client ends its side of the stream. */
  | { readonly end: true }
  /** The bridge ends the connection without another frame. */
  | { readonly ended: true }
  /** The client destroys the connection. */
  | { readonly vanish: true }

/** The keys of each kind of step; the first names it. */
const STEP_KEYS: readonly (readonly [string, ...string[]])[] = [
  ['call', 'args', 'evt', 'nonce', 'data', 'error', 'path', 'contains', 'chunk', 'times'],
  ['signIn'],
  ['frame', 'chunk', 'times'],
  ['bytes'],
  ['gets'],
  ['message'],
  ['quiet'],
  ['closed', 'contains'],
  ['end'],
  ['ended'],
  ['vanish'],
]

/** Words of the kind of a step, with the command of a call. */
export const stepName = (step: Step): string => ('call' in step ? step.call : (Object.keys(step)[0] ?? ''))

/** A misspelt key would be an expectation that is never checked. */
export const unknownKeys = (step: Step): readonly string[] => {
  const keys = Object.keys(step)
  const known: readonly string[] = STEP_KEYS.find(([kind]) => keys.includes(kind)) ?? []
  return keys.filter((key) => !known.includes(key))
}

/** A response of the HTTP API; text is sent as it is. */
export interface PlannedReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Vector {
  readonly name: string
  /** The rule it proves. */
  readonly rule: string
  /** Rows that it covers: `command:NAME`, `event:NAME`, `endpoint:NAME`. */
  readonly covers: readonly string[]
  /** Lines of the coverage ledger that it proves. */
  readonly ledger: readonly string[]
  /** Additional keys of the handshake; null: the steps send their own handshake. */
  readonly handshake: object | null
  /** Whether a bot token is stored. */
  readonly bot: boolean
  /** Responses of the HTTP API by `METHOD /path`; other requests return 404. */
  readonly platform: Readonly<Record<string, PlannedReply>>
  /** Expected requests to the HTTP API, in order, without those of signing in. */
  readonly requests: readonly {
    readonly method: string
    readonly path: string
    readonly body?: unknown
    readonly authorization?: string
    readonly reason?: string
    readonly files?: readonly object[]
  }[]
  readonly steps: readonly Step[]
}

interface VectorFile {
  readonly family: string
  readonly rule: string
  readonly cases: readonly (Pick<Vector, 'name' | 'steps'> & Partial<Vector>)[]
}

export const VECTORS = join(import.meta.dirname, '../conformance/vectors')

export interface Family {
  readonly family: string
  readonly vectors: readonly Vector[]
}

/** All families, by file name. */
export function loadVectors(): readonly Family[] {
  const files = readdirSync(VECTORS)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
  return files.map((name) => {
    const { family, rule, cases } = JSON.parse(readFileSync(join(VECTORS, name), 'utf8')) as VectorFile
    const defaults = { rule, covers: [], ledger: [], handshake: {}, bot: false, platform: {}, requests: [] }
    return { family, vectors: cases.map((one) => ({ ...defaults, ...one })) }
  })
}
