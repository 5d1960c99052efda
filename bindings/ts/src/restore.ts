/** Putting everything back after a reconnect, in the one order that works: AUTHORIZE_REQUEST, sign-in, other subscriptions, presence. */
import type { Clock } from './ports.ts'
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
  /** Told when the last subscription is answered, be it after the restoration. */
  readonly onSubscribed: () => void
  readonly clock: Clock
}

/** A server that keeps a subscription waiting, e.g. until it knows of a guild, must not keep the game from playing. Milliseconds. */
const PATIENCE_MS = 1_000

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
  const first = await attempt(send('AUTHENTICATE', argsOf(credential)))
  // Bridges of earlier versions cannot be told which user it was.
  const isUnknown = credential.kind === 'grant' && first instanceof CallError && first.name === 'INVALID_PAYLOAD'
  const outcome = isUnknown ? await attempt(send('AUTHENTICATE', {})) : first
  if (outcome === 'done') return 'done'
  if (outcome instanceof CallError && !outcome.retryable) wishes.credential = undefined
  return 'failed'
}

/**
 * Resolves when everything is answered, or when only subscriptions and the presence have not been for a while: they go on by themselves.
 * Rejects with ConnectionLost when the connection goes away meanwhile.
 */
export async function restore(restoration: Restoration): Promise<Restored> {
  const { wishes, subscriptions, send, subscribe, onSubscribed, clock } = restoration
  // Needs no sign-in, and must not wait for one: a platform that is away may keep it for half a minute.
  const first = subscriptions.applyFirst(subscribe)
  // A lost connection ends the sign-in as well, which says so.
  first.catch(() => {})
  if (wishes.callMs !== undefined) send('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: wishes.callMs }).catch(() => {})
  // Scopes come with the sign-in, and the other subscriptions need them: this answer is waited for.
  const signIn = await signInAgain(restoration)
  await within(PATIENCE_MS, clock, first)
  // A server that wanted a sign-in first has it now.
  if (signIn === 'done') subscriptions.reconsider()
  // The rest is written in order and answered in any order.
  const subscribed = subscriptions.apply(subscribe)
  const presence = wishes.takePresence()
  const shown: Promise<'none' | 'done' | Error> = presence === undefined ? Promise.resolve('none') : attempt(send('SET_ACTIVITY', presence))
  subscribed.then(onSubscribed, () => {})
  const [outcome] = await Promise.all([within(PATIENCE_MS, clock, shown), within(PATIENCE_MS, clock, subscribed)])
  return { signIn, ...subscriptions.standing, presence: outcome === 'none' || outcome === 'done' ? outcome : 'failed' }
}

/** What the promise gives, or undefined when it takes longer. */
async function within<T>(ms: number, clock: Clock, promise: Promise<T>): Promise<T | undefined> {
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
