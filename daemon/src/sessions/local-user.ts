/** The user whom READY announces: the platform's default until somebody signs in, then whoever signed in last. */
import type { RpcUser } from '@sallyport/protocol'

/** READY must name a user, since clients read its fields without asking; on a real platform nobody is known before a sign-in. */
export const NOBODY: RpcUser = { id: '0', username: 'player', discriminator: '0', global_name: null, avatar: null }

export class Account {
  #user: RpcUser
  /** Nobody is known but whom the platform's own client names. */
  #isOpen: boolean
  readonly #onChange: (user: RpcUser) => void

  constructor(initial: RpcUser, onChange: (user: RpcUser) => void) {
    this.#user = initial
    this.#isOpen = initial === NOBODY
    this.#onChange = onChange
  }

  get user(): RpcUser {
    return this.#user
  }

  signedIn(user: RpcUser): void {
    this.#isOpen = false
    this.#set(user)
  }

  /** The platform's own client says who uses it, which counts as long as nobody else is known. False when it does not. */
  ofClient(user: RpcUser): boolean {
    if (this.#isOpen) this.#set(user)
    return this.#isOpen
  }

  #set(user: RpcUser): void {
    const isSame = user.id === this.#user.id && user.username === this.#user.username && user.avatar === this.#user.avatar
    this.#user = user
    if (!isSame) this.#onChange(user)
  }
}
