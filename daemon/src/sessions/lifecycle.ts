/**
 * Changes that several parts of the daemon react to. The part that notices a change emits it, and knows none of the others: so each part
 * can be made before those that react.
 */
import type { AccountKey } from '@sallyport/core/account-key'
import type { CurrentCall } from '@sallyport/core/current-call'
import type { AccountEvent } from '../auth/accounts/machine.ts'
import type { Secret } from '@sallyport/core/secret'
import type { Session } from './session.ts'

interface Lifecycle {
  /** A session began or ended, or its user signed in or out. */
  readonly sessionChanged: Session
  /** Stored tokens of an account stopped working. */
  readonly tokensEnded: AccountKey & { readonly cause: AccountEvent }
  /** Stored tokens of an account were deleted. */
  readonly tokensDeleted: AccountKey
  /** The platform refused an access token of an account, in the reply to a request of the call. */
  readonly tokenRejected: AccountKey & { readonly token: Secret<string>; readonly call?: CurrentCall | undefined }
  /** A session got TOKEN_REVOKED with this data. */
  readonly tokenRevokedSent: { readonly session: Session; readonly data: object }
  /** An account ended here: what is stored for it must go. */
  readonly accountEnded: AccountKey
  /** The gateway sent a direct message with an activity: an invite or a join request, as the platform wrote it. */
  readonly activityMessage: { readonly account: AccountKey; readonly message: unknown }
  /** The bot token of an application was stored, replaced or deleted. */
  readonly botTokenChanged: { readonly applicationId: string }
}

type Listener<Value> = (value: Value) => unknown
type Listeners = { [Name in keyof Lifecycle]?: Listener<Lifecycle[Name]>[] }

/** `state`: keeps what others read. `effects`: acts on it, and so runs after every `state` listener. */
type Phase = 'state' | 'effects'

export class LifecycleEvents {
  readonly #listeners: Record<Phase, Listeners> = { state: {}, effects: {} }
  /** Both phases in one list by event, because some events come with each connection. */
  readonly #inOrder: Listeners = {}

  on<Name extends keyof Lifecycle>(name: Name, listener: Listener<Lifecycle[Name]>, phase: Phase = 'effects'): void {
    const listeners: Listener<Lifecycle[Name]>[] = (this.#listeners[phase][name] ??= [])
    listeners.push(listener)
    const inOrder: Listener<Lifecycle[Name]>[] = [...(this.#listeners.state[name] ?? []), ...(this.#listeners.effects[name] ?? [])]
    Object.assign(this.#inOrder, { [name]: inOrder })
  }

  /** Calls every listener now. */
  emit<Name extends keyof Lifecycle>(name: Name, value: Lifecycle[Name]): void {
    for (const listener of this.#inOrder[name] ?? []) listener(value)
  }

  /** Resolves when every listener has finished. Rejects with the first failure after all of them ran. */
  async emitAndWait<Name extends keyof Lifecycle>(name: Name, value: Lifecycle[Name]): Promise<void> {
    const results = await Promise.allSettled((this.#inOrder[name] ?? []).map(async (listener) => listener(value)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
