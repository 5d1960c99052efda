/** What the daemon remembers of a game at the other end of a session: who it is, what it may do, what it waits for. */
import { LIMITS } from '@sallyport/protocol'
import type { Holder, TokenAccount } from '../auth/auth.ts'
import type { Secret } from '@sallyport/core/secret'
import { CONNECTION_SCOPES } from './required-scopes.ts'
import { Allowances } from '../auth/grants/allowances.ts'
import { placeKey, type Program, programOf } from '../identity/program.ts'
import type { Greeting } from '../ipc/connection/handshake.ts'
import type { PeerIdentity } from '../ipc/transport/transport.ts'

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
export interface SessionConnection {
  readonly id: number
  readonly peer: PeerIdentity
  readonly encoding: { readonly name: string }
  readonly isOpen: boolean
  encodeEvent(name: string, data: unknown): Buffer
  deliver(frame: Buffer): void
  close(code: number, reason: string): void
  /** Whether the process that connected speaks here itself; a peer that answers no PING has no proof. */
  proveSender(): Promise<boolean>
}

/** A call that is not answered yet. */
export interface HeldCall {
  abandon(): void
}

export class Session {
  readonly channel: SessionConnection
  readonly applicationId: string
  readonly contract: string | undefined
  /** Time in which its calls are answered, in ms. */
  deadlineMs: number = LIMITS.deadlineMs.value
  /** Scopes it holds now, umbrellas expanded, pseudo-scopes included. */
  scopes: ReadonlySet<string>
  signedIn: SignedIn | undefined
  /** Told when somebody signed in or out. */
  onAuthChange: () => void = () => {}
  /** When a call of it was last noted as a use of its grant, in ms since the epoch. */
  useNotedAt = 0
  #place: string | undefined
  #allowances: Allowances | undefined
  #pending: Set<HeldCall> | undefined
  #program: Program | undefined

  constructor(channel: SessionConnection, greeting: Pick<Greeting, 'applicationId' | 'contract'>) {
    this.channel = channel
    this.applicationId = greeting.applicationId
    this.contract = greeting.contract
    this.scopes = CONNECTION_SCOPES[channel.peer.trust]
  }

  get holder(): Holder {
    return { applicationId: this.applicationId, program: this.program }
  }

  /** What the user allowed on this connection. */
  get allowances(): Allowances {
    this.#allowances ??= new Allowances()
    return this.#allowances
  }

  get pid(): number | undefined {
    return this.channel.peer.pid
  }

  /** The program in the kernel's words, and what was found out since. */
  get program(): Program {
    this.#program ??= programOf(this.channel.peer)
    return this.#program
  }

  /** Somebody else than the program that connected may speak here: nothing is known of it from now on. */
  doubt(): void {
    this.#program = { kind: 'unknown', uid: this.channel.peer.uid, executable: undefined, file: undefined }
  }

  /** `digest`: of the program's content; undefined when it could not be read. */
  contentIs(digest: string | undefined): void {
    this.#program = { ...this.program, digest }
  }

  /** What is counted for the program is counted under this. */
  get place(): string {
    this.#place ??= placeKey(this.program)
    return this.#place
  }

  /** The account of a user of the platform, for this application and the system user who runs the game. */
  account(userId: string): TokenAccount {
    return { applicationId: this.applicationId, uid: this.channel.peer.uid, userId }
  }

  /** `scopes`: of the token, umbrellas expanded, and what signing in itself gives. */
  signIn(signedIn: SignedIn, scopes: Iterable<string>): void {
    this.signedIn = signedIn
    this.scopes = new Set([...CONNECTION_SCOPES[this.channel.peer.trust], ...scopes])
    this.onAuthChange()
  }

  signOut(): void {
    this.signedIn = undefined
    this.#allowances = undefined
    this.scopes = CONNECTION_SCOPES[this.channel.peer.trust]
    this.onAuthChange()
  }

  /** Somebody who makes calls as this one could now, and whose calls do not end with the connection. */
  detached(): Session {
    const { applicationId, contract } = this
    const detached = new Session(this.channel, { applicationId, ...(contract === undefined ? {} : { contract }) })
    detached.signedIn = this.signedIn
    detached.scopes = this.scopes
    return detached
  }

  /** Keeps a call until it is over, so that it ends with the connection. */
  hold<Call extends HeldCall>(call: Call): Call {
    this.#pending ??= new Set()
    this.#pending.add(call)
    return call
  }

  release(call: HeldCall): void {
    this.#pending?.delete(call)
  }

  /** The connection is over: nobody waits for these calls any more. */
  abandonCalls(): void {
    for (const call of this.#pending ?? []) call.abandon()
    this.#pending = undefined
  }
}
