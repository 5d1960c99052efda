/** The desired state of every connection, besides subscriptions: the sign-in, the presence, and the call timeout. */
import { isFields } from './wire/message.ts'

/** `grant`: the grant that the daemon stored for this program, with the user id if known; `token`: a token that the game passed. */
export type Credential =
  | { readonly kind: 'grant'; readonly userId: string | undefined }
  | { readonly kind: 'token'; readonly accessToken: string }

export class DesiredState {
  /** Private, because it may hold a token and objects can be printed. */
  #credential: Credential | undefined
  #presence: object | undefined
  #unsentPresence: object | undefined
  /** The timeout of calls at the server; undefined: the server's default. */
  callTimeoutMs: number | undefined

  get credential(): Credential | undefined {
    return this.#credential
  }

  set credential(credential: Credential | undefined) {
    this.#credential = credential
  }

  /** Arguments of the SET_ACTIVITY to repeat; undefined after a clear. */
  get presence(): object | undefined {
    return this.#presence
  }

  /** Arguments of a SET_ACTIVITY that was called without a connection and is not yet restored. */
  get unsentPresence(): object | undefined {
    return this.#unsentPresence
  }

  /** Returns the presence to send, and marks it as sent. */
  consumePresence(): object | undefined {
    this.#unsentPresence = undefined
    return this.#presence
  }

  setUnsentPresence(args: object): void {
    this.setPresence(args)
    this.#unsentPresence = this.#presence ?? args
  }

  /** Stores a presence when it is sent; returns a function that restores the previous one if the server refuses it. */
  setPresence(args: object): () => void {
    const before = this.#presence
    const cleared = !('activity' in args) || args.activity === null || args.activity === undefined
    // A copy, because games reuse and modify one object.
    const desired = cleared ? undefined : (JSON.parse(JSON.stringify(args)) as object)
    this.#presence = desired
    this.#unsentPresence = undefined
    return () => {
      // Keeps a newer presence.
      if (this.#presence === desired) this.#presence = before
    }
  }
}

/** The credential in the arguments of AUTHENTICATE or UPDATE_TOKEN, with the user in the response. */
export function credentialOf(args: unknown, response: unknown): Credential {
  const accessToken = isFields(args) ? args['access_token'] : undefined
  if (typeof accessToken === 'string') return { kind: 'token', accessToken }
  const user = isFields(response) ? response['user'] : undefined
  const userId = isFields(user) ? user['id'] : undefined
  return { kind: 'grant', userId: typeof userId === 'string' ? userId : undefined }
}

/** Includes the user id, because another instance of the game may have signed in as another user. */
export const credentialArgs = (credential: Credential): object =>
  credential.kind === 'token' ? { access_token: credential.accessToken } : { user_id: credential.userId }
