/** Reads the conformance vectors: JSON files, written by hand, that say what goes in and what comes out. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Parts of an object that must be there; lists and plain values must be equal. */
export type Expected = unknown

export type Step =
  /** A call and its one answer: `data`, or `error` with the code (and the path and words it must have). */
  | {
      readonly call: string
      readonly args?: unknown
      readonly evt?: unknown
      readonly nonce?: string | number
      readonly data?: Expected
      readonly error?: number
      readonly path?: string
      readonly says?: string
      /** Bytes per write; all at once when absent. */
      readonly chunk?: number
      /** That many such calls in one write. */
      readonly times?: number
    }
  /** AUTHENTICATE with a token of these scopes. */
  | { readonly signIn: readonly string[] }
  /** A frame as it is: opcode, and JSON or (text) raw payload. */
  | { readonly frame: readonly [opcode: number, payload: unknown]; readonly chunk?: number; readonly times?: number }
  /** Bytes as hexadecimal text. */
  | { readonly bytes: string }
  /** The next frame: opcode, and JSON or (text) raw payload. */
  | { readonly gets: readonly [opcode: number, payload: Expected] }
  /** The next message, as a whole. */
  | { readonly message: Expected }
  /** An event happens; who wants it and may have it is told. */
  | { readonly publish: string; readonly args?: object; readonly data: unknown }
  /** Nothing waits to be read: the answer to a ping is what comes next. */
  | { readonly quiet: true }
  /** CLOSE with this code and a sentence, then the end of the connection. */
  | { readonly closed: number; readonly says?: string }
  /** Our side sends nothing more; what is answered still comes, then the end. */
  | { readonly end: true }
  /** The other side ends the connection, and nothing comes before. */
  | { readonly ended: true }
  /** The connection is gone without a word. */
  | { readonly vanish: true }

export interface Vector {
  readonly name: string
  /** The rule it proves. */
  readonly rule: string
  /** Rows it shows: `command:NAME`, `event:NAME`, `endpoint:NAME`. */
  readonly covers: readonly string[]
  /** Keys of the handshake; null: the steps make their own. */
  readonly hello: object | null
  /** The operator gave the token of a bot. */
  readonly bot: boolean
  /** Answers of the HTTP API by `METHOD /path`; what is not here is 404. */
  readonly platform: Readonly<
    Record<string, { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }>
  >
  /** Requests that must have reached the HTTP API besides those of signing in, in order. */
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
    const defaults = { rule, covers: [], hello: {}, bot: false, platform: {}, requests: [] }
    return { family, vectors: cases.map((one) => ({ ...defaults, ...one })) }
  })
}
