/** The user in READY: the platform's default until a user signs in, then the user of the last sign-in. */
import { Signal } from '@sallyport/core/signal'
import type { RpcUser } from '@sallyport/protocol'

/** Placeholder before a sign-in: READY must contain a user, because clients read its fields unchecked. */
export const UNKNOWN_USER: RpcUser = { id: '0', username: 'player', discriminator: '0', global_name: null, avatar: null }

/** The event that reports a change of this user. */
export const LOCAL_USER_EVENT = 'CURRENT_USER_UPDATE'

export class LocalUser {
  #user: RpcUser
  /** No user has signed in; the desktop client may set the user. */
  #isOpen: boolean
  readonly changed = new Signal<RpcUser>()

  constructor(initial: RpcUser) {
    this.#user = initial
    this.#isOpen = initial === UNKNOWN_USER
  }

  get user(): RpcUser {
    return this.#user
  }

  signedIn(user: RpcUser): void {
    this.#isOpen = false
    this.#set(user)
  }

  /** Sets the desktop client's user unless a user has signed in. Returns whether it did. */
  setFromClient(user: RpcUser): boolean {
    if (this.#isOpen) this.#set(user)
    return this.#isOpen
  }

  #set(user: RpcUser): void {
    const isSame = user.id === this.#user.id && user.username === this.#user.username && user.avatar === this.#user.avatar
    this.#user = user
    if (!isSame) this.changed.emit(user)
  }
}
