/** The participants of embedded activities: the users who signed in on pages of an application, through this bridge. */
import { Signal } from '@sallyport/core/signal'
import type { RpcUser } from '@sallyport/protocol'
import type { LifecycleEvents } from './lifecycle.ts'
import type { SessionRegistry } from './registry.ts'
import { clientKindOf } from './required-scopes.ts'
import type { Session } from './session.ts'

interface ParticipantsDeps {
  readonly registry: Pick<SessionRegistry, 'signedIn'>
  readonly lifecycle: Pick<LifecycleEvents, 'on'>
}

interface ParticipantsChange {
  readonly applicationId: string
  readonly participants: readonly RpcUser[]
}

export class Participants {
  readonly #deps: ParticipantsDeps
  readonly #users = new Map<Session, RpcUser>()
  /** A user joined or left the activity of an application. */
  readonly changed = new Signal<ParticipantsChange>()

  constructor(deps: ParticipantsDeps) {
    this.#deps = deps
    deps.lifecycle.on('sessionChanged', (session) => this.#sessionChanged(session))
  }

  /** A user signed in on a session. Sessions of other clients are ignored. */
  signedIn(session: Session, user: RpcUser): void {
    if (clientKindOf(session.connection.peer) !== 'activity') return
    this.#users.set(session, user)
    this.#changed(session)
  }

  /** Each user once, in the order of their sign-ins. */
  of(applicationId: string): RpcUser[] {
    const users = this.#deps.registry.signedIn(applicationId).flatMap((session) => this.#users.get(session) ?? [])
    return [...new Map(users.map((user) => [user.id, user])).values()]
  }

  #sessionChanged(session: Session): void {
    if (!this.#users.has(session) || this.#deps.registry.signedIn(session.applicationId).includes(session)) return
    this.#users.delete(session)
    this.#changed(session)
  }

  #changed({ applicationId }: Session): void {
    this.changed.emit({ applicationId, participants: this.of(applicationId) })
  }
}
