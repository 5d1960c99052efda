/** Putting everything back after a reconnect, in the one order that works: sign-in, AUTHORIZE_REQUEST, other subscriptions, presence. */
import type { Restored } from './server.ts'
import { CallError, ConnectionLost, errorFrom } from './errors.ts'
import type { Ask, SubscriptionBook } from './subscriptions.ts'
import { argsOf, type Wishes } from './wishes.ts'

export interface Restoration {
  readonly wishes: Wishes
  readonly subscriptions: SubscriptionBook
  /** Sends a call at once; resolves with its answer. */
  readonly send: (command: string, args: object) => Promise<unknown>
  readonly subscribe: Ask
}

/** Runs a call whose refusal is an outcome; losing the connection is not. */
async function attempt(call: Promise<unknown>): Promise<'done' | Error> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (error instanceof ConnectionLost) throw error
    return errorFrom(error)
  }
}

/**
 * Signs in again with what worked before. A credential that the server says is no good is forgotten; one that only could not be checked now is
 * kept for another try.
 */
export async function signInAgain({ wishes, send }: Pick<Restoration, 'wishes' | 'send'>): Promise<Restored['signIn']> {
  const { credential } = wishes
  if (credential === undefined) return 'none'
  const outcome = await attempt(send('AUTHENTICATE', argsOf(credential)))
  if (outcome === 'done') return 'done'
  if (outcome instanceof CallError && !outcome.retryable) wishes.credential = undefined
  return 'failed'
}

/** Resolves when everything is answered; rejects with ConnectionLost when the connection goes away meanwhile. */
export async function restore(restoration: Restoration): Promise<Restored> {
  const { wishes, subscriptions, send, subscribe } = restoration
  subscriptions.forgetConnection()
  // Scopes come with the sign-in, and subscriptions need them: this answer is waited for.
  const signIn = await signInAgain(restoration)
  // The rest is written in order and answered in any order.
  const subscribed = subscriptions.apply(subscribe)
  const { presence } = wishes
  const shown = presence === undefined ? 'none' : attempt(send('SET_ACTIVITY', presence))
  const [{ inForce, refused }, outcome] = await Promise.all([subscribed, shown])
  return { signIn, subscriptions: inForce, refused, presence: outcome === 'none' || outcome === 'done' ? outcome : 'failed' }
}
