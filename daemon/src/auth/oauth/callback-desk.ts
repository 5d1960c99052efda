/**
 * Receives redirects to custom schemes. The system hands such an address to whichever program is registered, which brings it here, so any
 * program of this user may come: only the state, compared in constant time, says whom an answer is for. Guessing is bounded for each program;
 * a state that the bridge generated cannot be guessed, so whoever brings it is let through.
 */
import { createHash } from 'node:crypto'
import { schemeOfRedirect } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { DeliveredCallback } from '../auth.ts'
import { type Redirect, type RedirectListener, readRedirect, sameText } from './redirect.ts'

interface Waiting {
  readonly applicationId: string
  readonly redirectUri: string
  readonly stateHash: string
  readonly isGenerated: boolean
  readonly resolve: (redirect: Redirect) => void
}

/** Counts callbacks that nobody awaits, by the program that brought them. */
export interface Misses {
  /** ms until this program may bring another; 0 = now. */
  waitMs(place: string): number
  count(place: string): unknown
}

/** So many answered states are remembered, to tell a repeated callback from a wrong one. */
const REMEMBERED = 64
const SECOND_MS = 1000

const hashOf = (state: string): string => createHash('sha256').update(state).digest('base64url')

export class CallbackDesk {
  readonly #misses: Misses
  readonly #waiting = new Set<Waiting>()
  #answered: readonly string[] = []

  constructor(misses: Misses) {
    this.#misses = misses
  }

  /** Throws INVALID_PAYLOAD when the state of the game is in use, since an answer could then be for either. */
  open(applicationId: string, redirectUri: string, state: string, isGenerated: boolean): RedirectListener {
    const stateHash = hashOf(state)
    if ([...this.#waiting].some((one) => one.stateHash === stateHash)) {
      throw new BridgeError('INVALID_PAYLOAD', '"state" is in use by another authorization; leave it out, and one is generated.', {
        path: 'state',
      })
    }
    const { promise: redirect, resolve } = Promise.withResolvers<Redirect>()
    const waiting = { applicationId, redirectUri, stateHash, isGenerated, resolve }
    this.#waiting.add(waiting)
    return { redirectUri, redirect, close: async () => void this.#waiting.delete(waiting) }
  }

  /**
   * `place`: of the program that brings it. Throws INVALID_PAYLOAD, INVALID_CONNECTION_CALLBACK_STATE or RATE_LIMITED when nobody waits for it;
   * what is waited for goes on then.
   */
  deliver(url: Secret<string>, place: string): DeliveredCallback {
    const text = url.reveal()
    const scheme = schemeOfRedirect(text.replace(/[?#].*$/s, ''))
    if (scheme === undefined) throw wrongAddress('The address is not a callback of a sign-in: it must be SCHEME:/authorize/callback?…')
    const given = new URLSearchParams(/\?([^#]*)/s.exec(text)?.[1] ?? '')
    const waiting = this.#find(hashOf(given.get('state') ?? ''), place)
    if (schemeOfRedirect(waiting.redirectUri) !== scheme)
      throw wrongAddress('The sign-in with this state awaits its answer by another scheme.')
    const redirect = readRedirect(given)
    if (redirect === undefined) throw wrongAddress('The callback is incomplete: it carries neither one code nor an error.')
    this.#waiting.delete(waiting)
    this.#answered = [...this.#answered.slice(1 - REMEMBERED), waiting.stateHash]
    waiting.resolve(redirect)
    return { applicationId: waiting.applicationId, error: redirect.kind === 'error' ? redirect.error : undefined }
  }

  #find(stateHash: string, place: string): Waiting {
    let found: Waiting | undefined
    for (const one of this.#waiting) if (sameText(stateHash, one.stateHash)) found = one
    if (found?.isGenerated === true) return found
    this.#checkMisses(place)
    if (found !== undefined) return found
    if (this.#answered.includes(stateHash)) throw wrongState('This sign-in has had its answer already; nothing was done.')
    this.#misses.count(place)
    throw wrongState('No sign-in awaits this callback: it was given up, or belongs to another bridge. Start again from the game.')
  }

  #checkMisses(place: string): void {
    const waitMs = this.#misses.waitMs(place)
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / SECOND_MS)
    throw new BridgeError('RATE_LIMITED', `This program brought too many callbacks that no sign-in awaits; try again in ${seconds} s.`, {
      retry_after: seconds,
    })
  }
}

const wrongAddress = (message: string): BridgeError => new BridgeError('INVALID_PAYLOAD', message, { path: 'url' })
const wrongState = (message: string): BridgeError => new BridgeError('INVALID_CONNECTION_CALLBACK_STATE', message)
