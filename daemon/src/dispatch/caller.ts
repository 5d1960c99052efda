/** What the daemon remembers of a game at the other end of a session: who it is, what it may do, what it waits for. */
import { LIMITS } from '@sallyport/protocol'
import type { Holder } from '../auth/auth.ts'
import type { Secret } from '../core/secret.ts'
import { LOCAL_SCOPES } from '../gate/gate.ts'
import type { Greeting } from '../session/handshake.ts'
import type { PeerIdentity } from '../transport/transport.ts'

/** A user signed in on a session. */
export interface SignedIn {
  readonly userId: string
  readonly username: string
  /** Registered name of the application. */
  readonly applicationName: string
  readonly accessToken: Secret<string>
  /** The daemon keeps these tokens and refreshes them; else the game brought its own. */
  readonly isManaged: boolean
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The session as the layers above it see it. */
export interface Channel {
  readonly id: number
  readonly peer: PeerIdentity
  readonly encoding: { readonly name: string }
  readonly isOpen: boolean
  encodeEvent(name: string, data: unknown): Buffer
  deliver(frame: Buffer): void
  close(code: number, reason: string): void
}

export class Caller {
  readonly channel: Channel
  readonly applicationId: string
  readonly contract: string | undefined
  /** Time in which its calls are answered, in ms. */
  deadlineMs: number = LIMITS.deadlineMs.value
  /** Scopes it holds now, umbrellas expanded, pseudo-scopes included. */
  scopes: ReadonlySet<string> = LOCAL_SCOPES
  signedIn: SignedIn | undefined
  #pending: Set<AbortController> | undefined

  constructor(channel: Channel, greeting: Greeting) {
    this.channel = channel
    this.applicationId = greeting.applicationId
    this.contract = greeting.contract
  }

  get holder(): Holder {
    return { applicationId: this.applicationId, uid: this.channel.peer.uid, executable: this.channel.peer.executable }
  }

  signOut(): void {
    this.signedIn = undefined
    this.scopes = LOCAL_SCOPES
  }

  /** A signal that aborts when the connection ends. `release` it when the call is over. */
  openCall(): AbortController {
    const controller = new AbortController()
    this.#pending ??= new Set()
    this.#pending.add(controller)
    return controller
  }

  release(controller: AbortController): void {
    this.#pending?.delete(controller)
  }

  /** The connection is over: nobody waits for these calls any more. */
  abandonCalls(): void {
    for (const controller of this.#pending ?? []) controller.abort()
    this.#pending = undefined
  }
}
