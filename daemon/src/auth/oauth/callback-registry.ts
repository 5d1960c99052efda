/**
 * Receives redirects to custom schemes. The system passes such a URL to the registered program, which delivers it here, so any program of
 * this user may deliver one. Only the state, compared in constant time, selects the sign-in. Wrong states are limited for each program. A
 * state that the bridge generated cannot be guessed, so it is exempt.
 */
import { SECOND_MS } from '@sallyport/core/durations'
import { createHash } from 'node:crypto'
import { schemeOfRedirect } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { DeliveredCallback } from '../auth.ts'
import { type Redirect, type RedirectListener, readRedirect, sameText } from './redirect.ts'

interface PendingCallback {
  readonly applicationId: string
  readonly redirectUri: string
  readonly stateHash: string
  readonly isGenerated: boolean
  readonly resolve: (redirect: Redirect) => void
}

/** Counts callbacks with an unknown state, for each program that delivers them. */
interface InvalidStates {
  /** ms until this program may deliver another; 0 = now. */
  waitMs(programKey: string): number
  count(programKey: string): unknown
}

/** Number of answered states kept, to distinguish a repeated callback from a wrong one. */
const MAX_ANSWERED = 64

const hashOf = (state: string): string => createHash('sha256').update(state).digest('base64url')

export class CallbackRegistry {
  readonly #invalidStates: InvalidStates
  readonly #pending = new Set<PendingCallback>()
  #answered: readonly string[] = []

  constructor(invalidStates: InvalidStates) {
    this.#invalidStates = invalidStates
  }

  /** Throws INVALID_PAYLOAD when the game's state is in use, because a redirect could then belong to either sign-in. */
  open(applicationId: string, redirectUri: string, state: string, isGenerated: boolean): RedirectListener {
    const stateHash = hashOf(state)
    if ([...this.#pending].some((one) => one.stateHash === stateHash)) {
      throw new BridgeError('INVALID_PAYLOAD', '"state" is in use by another authorization. Omit it to have one generated.', {
        path: 'state',
      })
    }
    const { promise: redirect, resolve } = Promise.withResolvers<Redirect>()
    const pending = { applicationId, redirectUri, stateHash, isGenerated, resolve }
    this.#pending.add(pending)
    return { redirectUri, redirect, close: async () => void this.#pending.delete(pending) }
  }

  /**
   * `programKey`: of the delivering program. Throws INVALID_PAYLOAD, INVALID_CONNECTION_CALLBACK_STATE or RATE_LIMITED when no sign-in
   * matches; pending sign-ins then stay open.
   */
  deliver(url: Secret<string>, programKey: string): DeliveredCallback {
    const text = url.reveal()
    const scheme = schemeOfRedirect(text.replace(/[?#].*$/s, ''))
    if (scheme === undefined) throw wrongAddress('The address is not a callback of a sign-in: it must be SCHEME:/authorize/callback?…')
    const parameters = new URLSearchParams(/\?([^#]*)/s.exec(text)?.[1] ?? '')
    const pending = this.#find(hashOf(parameters.get('state') ?? ''), programKey)
    if (schemeOfRedirect(pending.redirectUri) !== scheme)
      throw wrongAddress('The sign-in with this state expects its callback via another scheme.')
    const redirect = readRedirect(parameters)
    if (redirect === undefined) throw wrongAddress('The callback is incomplete. It carries neither one code nor an error.')
    this.#pending.delete(pending)
    this.#answered = [...this.#answered.slice(1 - MAX_ANSWERED), pending.stateHash]
    pending.resolve(redirect)
    return { applicationId: pending.applicationId, error: redirect.kind === 'error' ? redirect.error : undefined }
  }

  #find(stateHash: string, programKey: string): PendingCallback {
    let found: PendingCallback | undefined
    for (const one of this.#pending) if (sameText(stateHash, one.stateHash)) found = one
    if (found?.isGenerated === true) return found
    this.#checkInvalidStates(programKey)
    if (found !== undefined) return found
    if (this.#answered.includes(stateHash)) throw wrongState('This sign-in has already received its callback; nothing was done.')
    this.#invalidStates.count(programKey)
    throw wrongState('No sign-in expects this callback. It was cancelled, or belongs to another bridge. Start again from the game.')
  }

  #checkInvalidStates(programKey: string): void {
    const waitMs = this.#invalidStates.waitMs(programKey)
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / SECOND_MS)
    throw new BridgeError('RATE_LIMITED', `This program delivered too many callbacks that no sign-in expects; try again in ${seconds} s.`, {
      retry_after: seconds,
    })
  }
}

const wrongAddress = (message: string): BridgeError => new BridgeError('INVALID_PAYLOAD', message, { path: 'url' })
const wrongState = (message: string): BridgeError => new BridgeError('INVALID_CONNECTION_CALLBACK_STATE', message)
