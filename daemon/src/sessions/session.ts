/** A session: a connected game with its identity, its scopes and its pending calls. */
import { expandScopes, LIMITS } from '@sallyport/protocol'
import type { SignInOwner, TokenAccount } from '../auth/auth.ts'
import type { Secret } from '@sallyport/core/secret'
import { unauthenticatedScopes } from './required-scopes.ts'
import { Allowances } from '../auth/grants/allowances.ts'
import { withoutDenied } from '../auth/grants/terms.ts'
import { programKey, type Program, programOf } from '../identity/program.ts'
import type { Handshake } from '../ipc/connection/handshake.ts'
import type { PeerIdentity } from '../ipc/transport/transport.ts'

/** A user signed in on a session. */
export interface SignedIn {
  readonly userId: string
  readonly username: string
  /** The application's registered name. */
  readonly applicationName: string
  readonly accessToken: Secret<string>
  /** The daemon stores and refreshes these tokens; otherwise the game supplied its own. */
  readonly isManaged: boolean
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The transport connection of a session. */
export interface SessionConnection {
  readonly id: number
  readonly peer: PeerIdentity
  readonly encoding: { readonly name: string }
  /** Largest payload that the game receives, in bytes. */
  readonly maxPayloadBytes: number
  readonly isOpen: boolean
  encodeEvent(name: string, data: unknown): Buffer
  deliver(frame: Buffer): void
  close(code: number, reason: string): void
  /** Whether the process that connected sends the messages itself. False for a peer that does not answer PING. */
  proveSender(): Promise<boolean>
}

/** A call without a response yet. */
export interface PendingCall {
  cancel(): void
}

/** Called after a sign-in or sign-out. */
export type SignInListener = (session: Session) => void

const NONE: ReadonlySet<string> = new Set()

export class Session {
  readonly connection: SessionConnection
  readonly applicationId: string
  readonly contract: string | undefined
  /** Deadline of its calls, in ms. */
  deadlineMs: number = LIMITS.deadlineMs.value
  /** Current scopes, umbrellas expanded, pseudo-scopes included. */
  scopes: ReadonlySet<string>
  /** Scopes that the user took from the program, umbrellas expanded, and those of the sign-in that contain them. */
  deniedScopes: ReadonlySet<string> = NONE
  /** The user blocked the program, so nothing is answered. */
  isBlocked = false
  signedIn: SignedIn | undefined
  /** When a call last touched its grant, in ms since the epoch. */
  grantTouchedAt = 0
  /** The scopes of the sign-in without the user's choice. */
  #signedInScopes: ReadonlySet<string> = NONE
  #programKey: string | undefined
  #allowances: Allowances | undefined
  #pending: Set<PendingCall> | undefined
  #program: Program | undefined
  readonly #onSignIn: SignInListener

  constructor(connection: SessionConnection, greeting: Pick<Handshake, 'applicationId' | 'contract'>, onSignIn: SignInListener = () => {}) {
    this.#onSignIn = onSignIn
    this.connection = connection
    this.applicationId = greeting.applicationId
    this.contract = greeting.contract
    this.scopes = unauthenticatedScopes(connection.peer)
  }

  get signInOwner(): SignInOwner {
    return { applicationId: this.applicationId, program: this.program }
  }

  /** What the user allowed on this connection. */
  get allowances(): Allowances {
    this.#allowances ??= new Allowances()
    return this.#allowances
  }

  /** The system user who runs the game. */
  get uid(): number | undefined {
    return this.connection.peer.uid
  }

  get pid(): number | undefined {
    return this.connection.peer.pid
  }

  /** The program as the kernel identifies it, with facts added later. */
  get program(): Program {
    this.#program ??= programOf(this.connection.peer)
    return this.#program
  }

  /** Marks the program as unknown, because another program may use the connection. */
  markProgramUnknown(): void {
    this.#program = { kind: 'unknown', uid: this.connection.peer.uid, executable: undefined, file: undefined }
  }

  /** `digest`: hash of the program's content; undefined when it could not be read. */
  setDigest(digest: string | undefined): void {
    this.#program = { ...this.program, digest }
  }

  /** Key under which accounting counts the program. */
  get programKey(): string {
    this.#programKey ??= programKey(this.program)
    return this.#programKey
  }

  /** The account of a user of the platform, for this application and the system user who runs the game. */
  account(userId: string): TokenAccount {
    return { applicationId: this.applicationId, uid: this.uid, userId }
  }

  /** `scopes`: those of the token, umbrellas expanded, and the pseudo-scopes of a sign-in. `denied`: see `deny`. */
  signIn(signedIn: SignedIn, scopes: Iterable<string>, denied: readonly string[] = []): void {
    this.signedIn = signedIn
    this.#signedInScopes = new Set([...unauthenticatedScopes(this.connection.peer), ...scopes])
    this.deny(denied)
    this.#onSignIn(this)
  }

  /** `denied`: scopes that the sign-in does not give, because the user took them from the program; earlier ones return. */
  deny(denied: readonly string[]): void {
    const left = new Set(withoutDenied([...this.#signedInScopes], denied))
    this.deniedScopes = new Set([...[...this.#signedInScopes].filter((scope) => !left.has(scope)), ...expandScopes(denied)])
    this.scopes = left
  }

  signOut(): void {
    this.signedIn = undefined
    this.#allowances = undefined
    this.#signedInScopes = NONE
    this.deniedScopes = NONE
    this.scopes = unauthenticatedScopes(this.connection.peer)
    this.#onSignIn(this)
  }

  /** A copy with the current sign-in and scopes, whose calls do not end with the connection. */
  detached(): Session {
    const { applicationId, contract } = this
    const detached = new Session(this.connection, { applicationId, ...(contract === undefined ? {} : { contract }) })
    detached.signedIn = this.signedIn
    detached.scopes = this.scopes
    detached.deniedScopes = this.deniedScopes
    return detached
  }

  /** Tracks a call until it is over, so that it is cancelled with the connection. */
  track<Call extends PendingCall>(call: Call): Call {
    this.#pending ??= new Set()
    this.#pending.add(call)
    return call
  }

  untrack(call: PendingCall): void {
    this.#pending?.delete(call)
  }

  /** Cancels all pending calls, because the connection is closed. */
  cancelCalls(): void {
    if (this.#pending !== undefined) for (const call of this.#pending) call.cancel()
    this.#pending = undefined
  }
}
