/** The desired state of every connection, besides subscriptions: the sign-in, the presence, and the call timeout. */
import { Presence } from './presence.ts'
import { isFields } from './wire/message.ts'

/** `grant`: the grant that the daemon stored for this program, with the user id if known; `token`: a token that the game passed. */
export type Credential =
  | { readonly kind: 'grant'; readonly userId: string | undefined }
  | { readonly kind: 'token'; readonly accessToken: string }

export class DesiredState {
  readonly presence = new Presence()
  /** Private, because it may hold a token and objects can be printed. */
  #credential: Credential | undefined
  /** The timeout of calls at the server; undefined: the server's default. */
  callTimeoutMs: number | undefined

  get credential(): Credential | undefined {
    return this.#credential
  }

  set credential(credential: Credential | undefined) {
    this.#credential = credential
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
