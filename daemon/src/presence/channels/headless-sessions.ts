/** Sends presence via the HTTP API, for signed-in users whom neither the desktop client nor a gateway connection shows. */
import type { AccountKey } from '@sallyport/core/account-key'
import { Signal } from '@sallyport/core/signal'
import type { Clock } from '@sallyport/core/clock'
import type { LifecycleEvents } from '../../sessions/lifecycle.ts'
import type { Session } from '../../sessions/session.ts'
import type { SessionRegistry } from '../../sessions/registry.ts'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import { OwnerMap } from '../owner-map.ts'
import type { ChannelChange, PresenceChannel } from '../channel.ts'
import { ACCOUNT } from '../places.ts'
import type { PresenceOwner, Presence } from '../sink.ts'
import { notCarried } from './headless-activity.ts'
import { HeadlessSessionSync, type HeadlessSyncDeps } from './headless-session-sync.ts'

export interface HeadlessSessionsDeps extends Pick<HeadlessSyncDeps, 'clock' | 'log' | 'api'> {
  readonly registry: SessionRegistry
  readonly lifecycle: LifecycleEvents
}

const NEEDED_SCOPE = 'activities.write'
/** Time for deleting the headless sessions when the daemon stops. */
const STOP_MS = 2_000

const timeout = (clock: Clock): Promise<void> => new Promise((resolve) => void clock.after(STOP_MS, resolve))

export class HeadlessSessions implements PresenceChannel {
  readonly name = 'headless-session'
  readonly place = ACCOUNT
  readonly notCarried = notCarried
  readonly #deps: HeadlessSessionsDeps
  readonly #syncs = new OwnerMap<HeadlessSessionSync>()
  /** Users by application whose presence it can show. */
  readonly #showable = new Map<string, ReadonlySet<string>>()
  readonly changed = new Signal<ChannelChange>()

  constructor(deps: HeadlessSessionsDeps) {
    this.#deps = deps
    // First, so that what becomes a user's presence with a sign-in can be shown at once.
    deps.lifecycle.on('sessionChanged', ({ applicationId }) => this.#reconsider(applicationId), 'state')
  }

  canShow({ applicationId, userId }: PresenceOwner): boolean {
    return userId !== undefined && this.#showable.get(applicationId)?.has(userId) === true
  }

  show({ applicationId, userId }: PresenceOwner, presence: Presence | undefined): void {
    const owner = { applicationId, userId }
    let sync = this.#syncs.get(owner)
    if (sync === undefined) {
      if (presence === undefined) return
      sync = new HeadlessSessionSync(owner, { ...this.#deps, sessions: () => this.#sessionsOf(owner) })
      this.#syncs.set(owner, sync)
    }
    sync.show(presence)
    if (presence === undefined) void sync.settled.then(() => this.#removeFinished(owner, sync))
  }

  /** The session id by which other users join a user's activity; undefined when the platform shows none. */
  sessionOf(account: AccountKey): string | undefined {
    return this.#syncs.get(account)?.joinSession
  }

  health(): ProviderHealth {
    const syncs = this.#syncs.all()
    const reason = syncs.find(({ failure }) => failure !== undefined)?.failure
    if (reason !== undefined) return { state: 'failing', reason }
    return { state: syncs.length > 0 ? 'active' : 'idle' }
  }

  /** Clears all presence and waits a limited time for the platform. */
  async stop(): Promise<void> {
    const syncs = this.#syncs.all()
    if (syncs.length === 0) return
    for (const sync of syncs) sync.show(undefined)
    await Promise.race([Promise.all(syncs.map(({ settled }) => settled)), timeout(this.#deps.clock)])
  }

  #sessionsOf({ applicationId, userId }: PresenceOwner): readonly Session[] {
    return this.#writers(applicationId).filter(({ signedIn }) => signedIn?.userId === userId)
  }

  #writers(applicationId: string): readonly Session[] {
    return this.#deps.registry.signedIn(applicationId).filter(({ scopes }) => scopes.has(NEEDED_SCOPE))
  }

  /** After any change of a session: most of them change nothing here. */
  #reconsider(applicationId: string): void {
    const writers = this.#writers(applicationId)
    const showable = this.#showable.get(applicationId)
    // Called for each connection.
    if (writers.length === 0 && showable === undefined) return
    const before = showable ?? new Set<string>()
    const now = new Set(writers.flatMap(({ signedIn }) => signedIn?.userId ?? []))
    if (now.size === 0) this.#showable.delete(applicationId)
    else this.#showable.set(applicationId, now)
    for (const userId of new Set([...before, ...now])) {
      const account = { applicationId, userId }
      if (before.has(userId) !== now.has(userId)) this.changed.emit(account)
      else this.#syncs.get(account)?.reconsider()
    }
  }

  #removeFinished(owner: PresenceOwner, sync: HeadlessSessionSync): void {
    if (sync.isFinished && this.#syncs.get(owner) === sync) this.#syncs.delete(owner)
  }
}
