/** What the game wants to hold on every connection beside its subscriptions: to be signed in, its presence, and how long its calls may take. */
import { isFields } from './wire/message.ts'

/** `grant`: what the daemon stored for this program, of this user as far as it said who it is; otherwise the token the game passed. */
export type Credential =
  | { readonly kind: 'grant'; readonly userId: string | undefined }
  | { readonly kind: 'token'; readonly accessToken: string }

export class Wishes {
  /** Private: it may hold a token, and objects get printed. */
  #credential: Credential | undefined
  #presence: object | undefined
  #unsent: object | undefined
  /** How long the server may take for a call; undefined: as long as it takes by itself. */
  callMs: number | undefined

  get credential(): Credential | undefined {
    return this.#credential
  }

  set credential(credential: Credential | undefined) {
    this.#credential = credential
  }

  /** Arguments of the SET_ACTIVITY that is to be repeated; undefined after a clear. */
  get presence(): object | undefined {
    return this.#presence
  }

  /** Arguments of a SET_ACTIVITY that came when nothing could be sent, and that no restoration has taken along. */
  get unsent(): object | undefined {
    return this.#unsent
  }

  /** The presence goes out now. */
  takePresence(): object | undefined {
    this.#unsent = undefined
    return this.#presence
  }

  rememberUnsent(args: object): void {
    this.rememberPresence(args)
    this.#unsent = this.#presence ?? args
  }

  /** Remembers a presence as it is sent; the function it returns takes that back when the server refuses it. */
  rememberPresence(args: object): () => void {
    const before = this.#presence
    const cleared = !('activity' in args) || args.activity === null || args.activity === undefined
    // As it goes out now: games keep one object and change it before they set it again.
    const wish = cleared ? undefined : (JSON.parse(JSON.stringify(args)) as object)
    this.#presence = wish
    this.#unsent = undefined
    return () => {
      // A newer presence may have been set meanwhile; only the refused one is taken back.
      if (this.#presence === wish) this.#presence = before
    }
  }
}

/** The credential that these arguments of AUTHENTICATE or UPDATE_TOKEN stand for, and whom the answer named. */
export function credentialOf(args: unknown, answer: unknown): Credential {
  const accessToken = isFields(args) ? args['access_token'] : undefined
  if (typeof accessToken === 'string') return { kind: 'token', accessToken }
  const user = isFields(answer) ? answer['user'] : undefined
  const userId = isFields(user) ? user['id'] : undefined
  return { kind: 'grant', userId: typeof userId === 'string' ? userId : undefined }
}

/** Another copy of the game may play as somebody else, so whom the grant is of is said too. */
export const argsOf = (credential: Credential): object =>
  credential.kind === 'token' ? { access_token: credential.accessToken } : { user_id: credential.userId }
