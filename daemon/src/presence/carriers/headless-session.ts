/** Presence by the HTTP API, for users who signed in to a game and whom no client and no gateway connection shows. */
import type { Clock } from '../../core/clock.ts'
import type { CallerRegistry } from '../../dispatch/registry.ts'
import type { SourceHealth } from '../../sources/source.ts'
import type { PresenceCarrier } from '../carrier.ts'
import type { Presence } from '../sink.ts'
import { HeadlessLife, type HeadlessPorts } from './headless-life.ts'

export interface HeadlessParts extends Pick<HeadlessPorts, 'clock' | 'log' | 'call'> {
  readonly registry: CallerRegistry
}

const NEEDED_SCOPE = 'activities.write'
/** Time that ending what is shown may take when the bridge stops. */
const STOP_MS = 2_000

const timeout = (clock: Clock): Promise<void> => new Promise((resolve) => void clock.after(STOP_MS, resolve))

export class HeadlessSessions implements PresenceCarrier {
  readonly name = 'headless-session'
  readonly #parts: HeadlessParts
  readonly #lives = new Map<string, HeadlessLife>()
  /** Applications that it can show. */
  readonly #able = new Set<string>()
  #onChange: (applicationId: string) => void = () => {}

  constructor(parts: HeadlessParts) {
    this.#parts = parts
    parts.registry.onChange(({ applicationId }) => this.#reconsider(applicationId))
  }

  canShow(applicationId: string): boolean {
    return this.#able.has(applicationId)
  }

  onChange(listener: (applicationId: string) => void): void {
    this.#onChange = listener
  }

  show(applicationId: string, presence: Presence | undefined): void {
    let life = this.#lives.get(applicationId)
    if (life === undefined) {
      if (presence === undefined) return
      life = new HeadlessLife(applicationId, { ...this.#parts, speakers: (id) => this.#speakers(id) })
      this.#lives.set(applicationId, life)
    }
    life.show(presence)
    if (presence === undefined) void life.settled.then(() => this.#forget(applicationId, life))
  }

  /** The session that others join a user's activity by; undefined when the platform shows none. */
  sessionOf(applicationId: string, userId: string): string | undefined {
    const live = this.#lives.get(applicationId)?.live
    return live?.userId === userId ? live.sessionId : undefined
  }

  health(): SourceHealth {
    const lives = [...this.#lives.values()]
    const reason = lives.find(({ failure }) => failure !== undefined)?.failure
    if (reason !== undefined) return { state: 'failing', reason }
    return { state: lives.length > 0 ? 'live' : 'idle' }
  }

  /** Shows nothing any more, and waits a little until the platform knows. */
  async stop(): Promise<void> {
    const lives = [...this.#lives.values()]
    if (lives.length === 0) return
    for (const life of lives) life.show(undefined)
    await Promise.race([Promise.all(lives.map(({ settled }) => settled)), timeout(this.#parts.clock)])
  }

  #speakers(applicationId: string) {
    return this.#parts.registry.signedIn(applicationId).filter(({ scopes }) => scopes.has(NEEDED_SCOPE))
  }

  /** A connection came or went, or somebody signed in or out: most of them change nothing here. */
  #reconsider(applicationId: string): void {
    const canShow = this.#speakers(applicationId).length > 0
    if (canShow === this.#able.has(applicationId)) return this.#lives.get(applicationId)?.reconsider()
    if (canShow) this.#able.add(applicationId)
    else this.#able.delete(applicationId)
    this.#onChange(applicationId)
  }

  #forget(applicationId: string, life: HeadlessLife): void {
    if (life.isOver && this.#lives.get(applicationId) === life) this.#lives.delete(applicationId)
  }
}
