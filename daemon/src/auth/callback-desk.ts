/**
 * Receives redirects to custom schemes. The system hands such an address to whichever program is registered, which brings it here, so any
 * program of this user may come: only the state, compared in constant time, says whom an answer is for, and guessing is bounded.
 */
import { createHash } from 'node:crypto'
import { LIMITS, schemeOfRedirect } from '@sallyport/protocol'
import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import type { Secret } from '../core/secret.ts'
import type { DeliveredCallback } from './auth.ts'
import { type Redirect, type RedirectListener, readRedirect, sameText } from './redirect.ts'

interface Waiting {
  readonly applicationId: string
  readonly redirectUri: string
  readonly stateHash: string
  readonly resolve: (redirect: Redirect) => void
}

/** So many answered states are remembered, to tell a repeated callback from a wrong one. */
const REMEMBERED = 64
const SECOND_MS = 1000

const hashOf = (state: string): string => createHash('sha256').update(state).digest('base64url')

export class CallbackDesk {
  readonly #clock: Clock
  readonly #waiting = new Set<Waiting>()
  #answered: readonly string[] = []
  /** When a state was wrong, within the window. */
  #misses: readonly number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Throws INVALID_PAYLOAD when the state of the game is in use, since an answer could then be for either. */
  open(applicationId: string, redirectUri: string, state: string): RedirectListener {
    const stateHash = hashOf(state)
    if ([...this.#waiting].some((one) => one.stateHash === stateHash)) {
      throw new BridgeError('INVALID_PAYLOAD', '"state" is in use by another authorization; leave it out, and one is generated.', {
        path: 'state',
      })
    }
    const { promise: redirect, resolve } = Promise.withResolvers<Redirect>()
    const waiting = { applicationId, redirectUri, stateHash, resolve }
    this.#waiting.add(waiting)
    return { redirectUri, redirect, close: async () => void this.#waiting.delete(waiting) }
  }

  /** Throws INVALID_PAYLOAD, INVALID_CONNECTION_CALLBACK_STATE or RATE_LIMITED when nobody waits for it; what is waited for goes on then. */
  deliver(url: Secret<string>): DeliveredCallback {
    this.#checkMisses()
    const text = url.reveal()
    const scheme = schemeOfRedirect(text.replace(/[?#].*$/s, ''))
    if (scheme === undefined) throw wrongAddress('The address is not a callback of a sign-in: it must be SCHEME:/authorize/callback?…')
    const given = new URLSearchParams(/\?([^#]*)/s.exec(text)?.[1] ?? '')
    const waiting = this.#find(hashOf(given.get('state') ?? ''))
    if (schemeOfRedirect(waiting.redirectUri) !== scheme)
      throw wrongAddress('The sign-in with this state awaits its answer by another scheme.')
    const redirect = readRedirect(given)
    if (redirect === undefined) throw wrongAddress('The callback is incomplete: it carries neither one code nor an error.')
    this.#waiting.delete(waiting)
    this.#answered = [...this.#answered.slice(1 - REMEMBERED), waiting.stateHash]
    waiting.resolve(redirect)
    return { applicationId: waiting.applicationId, error: redirect.kind === 'error' ? redirect.error : undefined }
  }

  #find(stateHash: string): Waiting {
    let found: Waiting | undefined
    for (const one of this.#waiting) if (sameText(stateHash, one.stateHash)) found = one
    if (found !== undefined) return found
    if (this.#answered.includes(stateHash)) throw wrongState('This sign-in has had its answer already; nothing was done.')
    this.#misses = [...this.#misses, this.#clock.now()]
    throw wrongState('No sign-in awaits this callback: it was given up, or belongs to another bridge. Start again from the game.')
  }

  #checkMisses(): void {
    const since = this.#clock.now() - LIMITS.authorizeCallbackWindowMs.value
    this.#misses = this.#misses.filter((at) => at > since)
    const [oldest] = this.#misses
    if (oldest === undefined || this.#misses.length < LIMITS.authorizeCallbacks.value) return
    const seconds = Math.ceil((oldest - since) / SECOND_MS)
    throw new BridgeError('RATE_LIMITED', `Too many callbacks that no sign-in awaits; try again in ${seconds} s.`, { retry_after: seconds })
  }
}

const wrongAddress = (message: string): BridgeError => new BridgeError('INVALID_PAYLOAD', message, { path: 'url' })
const wrongState = (message: string): BridgeError => new BridgeError('INVALID_CONNECTION_CALLBACK_STATE', message)
