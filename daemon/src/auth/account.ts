/** The user whom READY announces: the platform's default until somebody signs in, then whoever signed in last. */
import type { RpcUser } from '@sallyport/protocol'

export class Account {
  #user: RpcUser
  readonly #onChange: (user: RpcUser) => void

  constructor(initial: RpcUser, onChange: (user: RpcUser) => void) {
    this.#user = initial
    this.#onChange = onChange
  }

  get user(): RpcUser {
    return this.#user
  }

  signedIn(user: RpcUser): void {
    const isSame = user.id === this.#user.id && user.username === this.#user.username && user.avatar === this.#user.avatar
    this.#user = user
    if (!isSame) this.#onChange(user)
  }
}
