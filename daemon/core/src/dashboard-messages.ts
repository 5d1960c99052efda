/** What the daemon and the page of its dashboard send each other about calls. Types alone, because both have them. */
import type { CallTrace, EventTrace } from '@sallyport/protocol'

export interface TraceBatch {
  readonly calls: readonly CallTrace[]
  readonly events: readonly EventTrace[]
  /** How many came too fast for the page. */
  readonly left_out: number
}

/** What the charts show, each second. Counts are since the start of the daemon, or of the first page. */
export interface Figures {
  readonly calls: number
  readonly events: number
  /** The part of calls and events that is traced now, and how many were not traced so far. */
  readonly share: number
  readonly skipped: number
  /** Bytes of the daemon in memory. */
  readonly memory: number
  /** The fullest rate-limit buckets in use. */
  readonly buckets: readonly { readonly command: string; readonly limit: number; readonly free: number; readonly waiting: number }[]
}

/** A call that the form makes. */
export interface FormCall {
  readonly command: string
  /** Of SUBSCRIBE and UNSUBSCRIBE. */
  readonly event?: string | undefined
  /** Undefined: the one of the settings. */
  readonly application?: string | undefined
  readonly args: object
  /** What the user typed to confirm a call that deletes something for good. */
  readonly confirmed?: string | undefined
}

/** What became of it. Its response is in its trace alone. */
export interface FormCallEnd {
  /** Of its trace; undefined when it was not sent. */
  readonly id?: string
  /** Why it failed: a sentence. */
  readonly problem?: string
  /** Why the connection is not signed in: a sentence. */
  readonly not_signed_in?: string
  /** It was not sent: the user must confirm what this sentence says. */
  readonly confirm?: string
}

/** What the page can ask of the sandbox. */
export interface SandboxChoices {
  readonly rows: readonly { readonly method: string; readonly path: string; readonly does: string; readonly body?: object }[]
  /** Names of events that it sends on demand. */
  readonly events: readonly string[]
}

export interface SandboxAnswer {
  /** Of HTTP. */
  readonly status: number
  /** Without secrets; null for an empty one. */
  readonly answer: unknown
}
