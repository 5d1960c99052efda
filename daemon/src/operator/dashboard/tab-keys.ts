/**
 * How a tab of the browser is admitted, and how this server proves itself to the tab. Another user's server may listen on the port while no daemon
 * runs, so a tab sends nothing that such a server could use. Secrets never travel, but for a tab's key, which a proven tab gets once.
 *
 *   one-time address ──code──▶ tab ──greeting with the code──▶ key of the tab ──greeting with the key──▶ session …
 *
 * A greeting names a secret by its id and has a challenge. The answer is a proof that this server knows the secret. Both sides then derive the
 * session from the secret and from what both chose. A session is worth nothing in another run, nor at another port.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { BoundedMap } from '@sallyport/core/bounded-map'
import type { Clock } from '@sallyport/core/clock'
import { MINUTE_MS, SECOND_MS } from '@sallyport/core/durations'
import type { Secret } from '@sallyport/core/secret'

/** How long a new code waits: a browser starts in this time. */
const CODE_MS = 5 * MINUTE_MS
/** A page that is loaded again greets within this time after its stream closed. */
const RELOAD_MS = 10 * SECOND_MS
const MAX_CODES = 64
const MAX_SESSIONS = 128
const SECRET_BYTES = 32
/** Of a tab: too short for the id of a code. */
const TAB_BYTES = 16

/** 32 bytes in base64url, as of a code's id and a challenge. */
const LONG = /^[\w-]{43}$/
const TAB = /^[\w-]{22}$/

const newText = (bytes: number): string => randomBytes(bytes).toString('base64url')
/** HMAC with SHA-256, in base64url; the page computes the same. */
const mac = (secret: string, ...words: readonly string[]): string =>
  createHmac('sha256', secret).update(words.join('\n')).digest('base64url')

export interface Greeting {
  readonly nonce: string
  readonly proof: string
}

export interface TabKey {
  readonly id: string
  readonly key: string
}

interface Code {
  readonly value: string
  /** Milliseconds of the monotonic clock. */
  readonly until: number
}

interface TabKeysDeps {
  readonly clock: Pick<Clock, 'elapsed'>
  readonly port: number
  /** The secret behind all keys of tabs; it outlives the daemon. Read when the first tab needs it. */
  readonly master: () => Secret<string>
  /** Codes of the addresses that the daemon printed. They have no end, because the user may read them at any time. */
  readonly printed: readonly Secret<string>[]
}

export class TabKeys {
  readonly #deps: TabKeysDeps
  /** By id. */
  readonly #codes = new BoundedMap<string, Code>(MAX_CODES)
  readonly #sessions = new BoundedMap<string, true>(MAX_SESSIONS)

  constructor(deps: TabKeysDeps) {
    this.#deps = deps
    for (const code of deps.printed) this.#add(code.reveal(), Number.POSITIVE_INFINITY)
  }

  /** A new code for a one-time address. */
  newCode(): string {
    return this.#add(newText(SECRET_BYTES), this.#deps.clock.elapsed() + CODE_MS)
  }

  /** A code with which a tab that is loaded again greets, and what is called when its stream has closed. */
  reloadCode(): { readonly code: string; readonly closed: () => void } {
    const code = this.#add(newText(SECRET_BYTES), Number.POSITIVE_INFINITY)
    const closed = () => {
      if (this.#codes.has(mac(code, 'id'))) this.#add(code, this.#deps.clock.elapsed() + RELOAD_MS)
    }
    return { code, closed }
  }

  newKey(): TabKey {
    const id = newText(TAB_BYTES)
    return { id, key: this.#keyOf(id) }
  }

  /** Undefined when the code is used or too old, or when this is no greeting. */
  greet(id: string, challenge: string): Greeting | undefined {
    if (!LONG.test(challenge)) return undefined
    const secret = TAB.test(id) ? this.#keyOf(id) : this.#take(id)
    if (secret === undefined) return undefined
    const port = String(this.#deps.port)
    const nonce = newText(SECRET_BYTES)
    this.#sessions.set(mac(secret, 'tab', port, challenge, nonce), true)
    return { nonce, proof: mac(secret, 'server', port, challenge, nonce) }
  }

  /** Whether this is the session of a tab. It has 256 bits, so the lookup need not take equal time. */
  isSession(text: string): boolean {
    return this.#sessions.has(text)
  }

  #keyOf(tab: string): string {
    return mac(this.#deps.master().reveal(), 'key', tab)
  }

  #add(value: string, until: number): string {
    this.#codes.set(mac(value, 'id'), { value, until })
    return value
  }

  /** A code is for one greeting. Only who has it knows its id. */
  #take(id: string): string | undefined {
    const code = this.#codes.get(id)
    this.#codes.delete(id)
    return code !== undefined && this.#deps.clock.elapsed() < code.until ? code.value : undefined
  }
}
