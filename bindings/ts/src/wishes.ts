/** What the game wants to hold on every connection beside its subscriptions: to be signed in, and its presence. */

/** `grant`: what the daemon stored for this program; otherwise the token the game passed. */
export type Credential = { readonly kind: 'grant' } | { readonly kind: 'token'; readonly accessToken: string }

export class Wishes {
  /** Private: it may hold a token, and objects get printed. */
  #credential: Credential | undefined
  #presence: object | undefined
  #unsent: object | undefined

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
    this.#unsent = args
  }

  /** Remembers a presence as it is sent; the function it returns takes that back when the server refuses it. */
  rememberPresence(args: object): () => void {
    const before = this.#presence
    const cleared = !('activity' in args) || args.activity === null || args.activity === undefined
    const wish = cleared ? undefined : args
    this.#presence = wish
    this.#unsent = undefined
    return () => {
      // A newer presence may have been set meanwhile; only the refused one is taken back.
      if (this.#presence === wish) this.#presence = before
    }
  }
}

/** The credential that these arguments of AUTHENTICATE or UPDATE_TOKEN stand for. */
export const credentialOf = (args: unknown): Credential =>
  typeof args === 'object' && args !== null && 'access_token' in args && typeof args.access_token === 'string'
    ? { kind: 'token', accessToken: args.access_token }
    : { kind: 'grant' }

export const argsOf = (credential: Credential): object => (credential.kind === 'token' ? { access_token: credential.accessToken } : {})
