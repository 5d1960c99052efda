/**
 * Judges which activities the daemon shows at the platform: none stays of a connection that has ended, or that a game has replaced. A request that
 * waited for a connection to the platform may bring one, if the next request takes it away.
 */
import type { Exchange } from './http-traffic.ts'
import type { Direction, Link } from './machine/socket.ts'
import type { Message } from './wire-check.ts'

interface Shown {
  readonly game: string
  /** The connections that set it, the last one last: a game sets it again after a reconnect. */
  readonly by: Link[]
  clearedAt: number | undefined
}

const DETAILS = /"details":"([^"]+ shows \d+)"/g
/** What is on its way when a connection ends may still be sent; ms. */
const GRACE_MS = 1_000
/** How soon an outdated activity must be replaced; ms. */
const REPLACED_MS = 5_000
const SUCCESS = /^HTTP\/1\.1 2/
const SESSIONS = /\/headless-sessions/

export class PresenceCheck {
  readonly #now: () => number
  readonly #shown = new Map<string, Shown>()
  /** What each connection set last. */
  readonly #lastOf = new Map<Link, Shown>()
  #outdated: { readonly at: number; readonly by: Exchange; readonly sentence: string }[] = []
  readonly failures: string[] = []
  checked = 0

  constructor(now: () => number) {
    this.#now = now
  }

  onMessage(link: Link, direction: Direction, { cmd, args }: Message): void {
    if (direction !== 'up' || cmd !== 'SET_ACTIVITY') return
    const before = this.#lastOf.get(link)
    if (before !== undefined) before.clearedAt ??= this.#now()
    const details = (args as { readonly activity?: { readonly details?: string } | null }).activity?.details
    if (details === undefined) return
    const shown: Shown = this.#shown.get(details) ?? { game: link.up.owner?.name ?? 'unknown', by: [], clearedAt: undefined }
    this.#shown.set(details, shown)
    shown.by.push(link)
    shown.clearedAt = undefined
    this.#lastOf.set(link, shown)
  }

  onExchange(exchange: Exchange, isReply: boolean): void {
    const { line, request } = exchange
    if (!SESSIONS.test(line)) return
    // What the platform refuses, it does not show.
    if (isReply && !SUCCESS.test(exchange.reply)) this.#outdated = this.#outdated.filter(({ by }) => by !== exchange)
    if (isReply) return
    this.#outdated = this.#outdated.filter(({ by, at }) => by === exchange || this.#now() - at > REPLACED_MS)
    for (const [, details = ''] of request.matchAll(DETAILS)) this.#judge(details, exchange)
  }

  #judge(details: string, by: Exchange): void {
    const shown = this.#shown.get(details)
    if (shown === undefined) return
    this.checked += 1
    const now = this.#now()
    const ends = shown.by.map(({ up, down }) => (up.owner?.isDead === true ? 0 : (down.endedAt ?? up.endedAt)))
    const isOver = ends.every((end) => end !== undefined && now - end > GRACE_MS)
    const isCleared = shown.clearedAt !== undefined && now - shown.clearedAt > GRACE_MS
    if (!isOver && !isCleared) return
    const why = isOver ? 'its session has ended' : 'the game set another'
    this.#outdated.push({ at: now, by, sentence: `${(now / 1_000).toFixed(3)} s, ${shown.game}: "${details}" is shown, although ${why}` })
  }

  /** Looks for what was not replaced. */
  review(): void {
    const isLate = ({ at }: { readonly at: number }): boolean => this.#now() - at > REPLACED_MS
    this.failures.push(...this.#outdated.filter(isLate).map(({ sentence }) => sentence))
    this.#outdated = this.#outdated.filter((one) => !isLate(one))
  }
}
