/** Restores the desired state after a reconnect in the required order: AUTHORIZE_REQUEST, sign-in, other subscriptions, presence. */
import type { Clock } from './environment.ts'
import type { Restored } from './server.ts'
import { CallError, ConnectionLostError, errorFrom } from './errors.ts'
import type { SendSubscription, Subscriptions } from './subscriptions.ts'
import { credentialArgs, type DesiredState } from './desired-state.ts'

export interface Restoration {
  readonly desired: DesiredState
  readonly subscriptions: Subscriptions
  /** Sends a call at once; resolves with its response. */
  readonly send: (command: string, args: object) => Promise<unknown>
  readonly subscribe: SendSubscription
  /** Called when the server has responded to the last subscription, even after the restoration. */
  readonly onSubscribed: () => void
  readonly clock: Clock
}

/** Milliseconds to wait for subscriptions and presence, because a server may delay one, e.g. until it has loaded a guild. */
const RESTORE_TIMEOUT_MS = 1_000

/** Awaits a call; returns its error, but throws if the connection is lost. */
async function attempt(call: Promise<unknown>): Promise<'done' | Error> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (error instanceof ConnectionLostError) throw error
    return errorFrom(error)
  }
}

/**
 * Signs in again with the last credential. Deletes a credential that the server rejects; keeps it after a retryable error.
 */
export async function restoreSignIn({ desired, send }: Pick<Restoration, 'desired' | 'send'>): Promise<Restored['signIn']> {
  const { credential } = desired
  if (credential === undefined) return 'none'
  const first = await attempt(send('AUTHENTICATE', credentialArgs(credential)))
  // Bridges of earlier versions do not accept the user id.
  const isUnknown = credential.kind === 'grant' && first instanceof CallError && first.errorName === 'INVALID_PAYLOAD'
  const outcome = isUnknown ? await attempt(send('AUTHENTICATE', {})) : first
  if (outcome === 'done') return 'done'
  if (outcome instanceof CallError && !outcome.retryable) desired.credential = undefined
  return 'failed'
}

/**
 * Resolves when the server has responded to everything, or when only subscriptions and presence exceed RESTORE_TIMEOUT_MS; these continue.
 * Rejects with ConnectionLostError if the connection is lost.
 */
export async function restore(restoration: Restoration): Promise<Restored> {
  const { desired, subscriptions, send, subscribe, onSubscribed, clock } = restoration
  // Sent before the sign-in, which can take half a minute if the platform is unreachable.
  const first = subscriptions.subscribeFirst(subscribe)
  // A lost connection also rejects the sign-in, which reports it.
  first.catch(() => {})
  if (desired.callTimeoutMs !== undefined) send('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: desired.callTimeoutMs }).catch(() => {})
  // Waits for the sign-in, because the other subscriptions need its scopes.
  const signIn = await restoreSignIn(restoration)
  await withTimeout(RESTORE_TIMEOUT_MS, clock, first)
  // Retries subscriptions that required a sign-in.
  if (signIn === 'done') subscriptions.requeueRefused()
  // The server may respond to these in any order.
  const subscribed = subscriptions.subscribeAll(subscribe)
  const presence = desired.presence.restore((args) => send('SET_ACTIVITY', args))
  const shown: Promise<'none' | 'done' | Error> = presence === undefined ? Promise.resolve('none') : attempt(presence)
  subscribed.then(onSubscribed, () => {})
  const [outcome] = await Promise.all([withTimeout(RESTORE_TIMEOUT_MS, clock, shown), withTimeout(RESTORE_TIMEOUT_MS, clock, subscribed)])
  return { signIn, ...subscriptions.counts, presence: outcome === 'none' || outcome === 'done' ? outcome : 'failed' }
}

/** The value of the promise, or undefined on a timeout. */
async function withTimeout<T>(ms: number, clock: Clock, promise: Promise<T>): Promise<T | undefined> {
  let cancel = (): void => {}
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(ms, () => resolve(undefined), true)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}
