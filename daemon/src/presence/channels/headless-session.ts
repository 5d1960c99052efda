/** Presence by the HTTP API, for users who signed in to a game and whom no client and no gateway connection shows. */
import type { Clock } from '@sallyport/core/clock'
import type { Session } from '../../sessions/session.ts'
import type { SessionRegistry } from '../../sessions/registry.ts'
import type { SourceHealth } from '@sallyport/core/source-health'
import { ByPlayer } from '../by-player.ts'
import type { PresenceCarrier } from '../carrier.ts'
import type { Player, Presence } from '../sink.ts'
import { HeadlessLife, type HeadlessPorts } from './headless-life.ts'

export interface HeadlessParts extends Pick<HeadlessPorts, 'clock' | 'log' | 'call'> {
  readonly registry: SessionRegistry
}

const NEEDED_SCOPE = 'activities.write'
/** Time that ending what is shown may take when the bridge stops. */
const STOP_MS = 2_000

const timeout = (clock: Clock): Promise<void> => new Promise((resolve) => void clock.after(STOP_MS, resolve))

export class HeadlessSessions implements PresenceCarrier {
  readonly name = 'headless-session'
  readonly #parts: HeadlessParts
  readonly #lives = new ByPlayer<HeadlessLife>()
  /** Users of each application whom it can show. */
  readonly #able = new Map<string, ReadonlySet<string>>()
  #onChange: (applicationId: string, userId: string) => void = () => {}

  constructor(parts: HeadlessParts) {
    this.#parts = parts
    parts.registry.onChange(({ applicationId }) => this.#reconsider(applicationId))
  }

  canShow({ applicationId, userId }: Player): boolean {
    return userId !== undefined && this.#able.get(applicationId)?.has(userId) === true
  }

  onChange(listener: (applicationId: string, userId: string) => void): void {
    this.#onChange = listener
  }

  show({ applicationId, userId }: Player, presence: Presence | undefined): void {
    const player = { applicationId, userId }
    let life = this.#lives.get(player)
    if (life === undefined) {
      if (presence === undefined) return
      life = new HeadlessLife(player, { ...this.#parts, speakers: () => this.#speakers(player) })
      this.#lives.set(player, life)
    }
    life.show(presence)
    if (presence === undefined) void life.settled.then(() => this.#forget(player, life))
  }

  /** The session that others join a user's activity by; undefined when the platform shows none. */
  sessionOf(applicationId: string, userId: string): string | undefined {
    return this.#lives.get({ applicationId, userId })?.joinSession
  }

  health(): SourceHealth {
    const lives = this.#lives.all()
    const reason = lives.find(({ failure }) => failure !== undefined)?.failure
    if (reason !== undefined) return { state: 'failing', reason }
    return { state: lives.length > 0 ? 'live' : 'idle' }
  }

  /** Shows nothing any more, and waits a little until the platform knows. */
  async stop(): Promise<void> {
    const lives = this.#lives.all()
    if (lives.length === 0) return
    for (const life of lives) life.show(undefined)
    await Promise.race([Promise.all(lives.map(({ settled }) => settled)), timeout(this.#parts.clock)])
  }

  #speakers({ applicationId, userId }: Player): readonly Session[] {
    return this.#writers(applicationId).filter(({ signedIn }) => signedIn?.userId === userId)
  }

  #writers(applicationId: string): readonly Session[] {
    return this.#parts.registry.signedIn(applicationId).filter(({ scopes }) => scopes.has(NEEDED_SCOPE))
  }

  /** A connection came or went, or somebody signed in or out: most of them change nothing here. */
  #reconsider(applicationId: string): void {
    const before = this.#able.get(applicationId) ?? new Set<string>()
    const now = new Set(this.#writers(applicationId).flatMap(({ signedIn }) => signedIn?.userId ?? []))
    if (now.size === 0) this.#able.delete(applicationId)
    else this.#able.set(applicationId, now)
    for (const userId of new Set([...before, ...now])) {
      if (before.has(userId) !== now.has(userId)) this.#onChange(applicationId, userId)
      else this.#lives.get({ applicationId, userId })?.reconsider()
    }
  }

  #forget(player: Player, life: HeadlessLife): void {
    if (life.isOver && this.#lives.get(player) === life) this.#lives.delete(player)
  }
}
