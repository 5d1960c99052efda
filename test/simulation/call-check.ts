/** Judges what becomes of calls inside the daemon: none stays pending after its connection, none waits for a platform that has answered. */
import { Session } from '#daemon/src/sessions/session.ts'
import type { HttpTraffic } from './http-traffic.ts'
import type { Direction, Link } from './machine/socket.ts'
import { currentOwner, type Owner } from './machine/timeline.ts'
import type { Message } from './wire-check.ts'

const TIME_LIMIT = /^No response within (\d+) ms/
/** What the way takes, and a retry; ms. */
const SLACK_MS = 1_000

interface Pending {
  readonly owner: Owner | undefined
  readonly calls: Set<object>
}

/** The calls of each session that had a connection when they began. */
const pending = new Map<Session, Pending>()
/** Their calls do not end with a connection. */
const detachedOnes = new WeakSet<Session>()

export class CallCheck {
  readonly #now: () => number
  readonly #traffic: HttpTraffic
  readonly failures: string[] = []
  checked = 0

  constructor(now: () => number, traffic: HttpTraffic) {
    this.#now = now
    this.#traffic = traffic
    pending.clear()
  }

  onMessage({ up }: Link, direction: Direction, { cmd, evt, data }: Message): void {
    if (direction !== 'down' || evt !== 'ERROR') return
    const limitMs = Number(TIME_LIMIT.exec((data as { readonly message?: string }).message ?? '')?.[1])
    if (Number.isNaN(limitMs)) return
    this.checked += 1
    if (this.#traffic.wasSlowSince(this.#now() - limitMs - SLACK_MS)) return
    this.#fail(`${up.owner?.name}: ${cmd} reached its time limit, although the platform answered every request at once`)
  }

  /** Called a moment after connections were cut, and from time to time. */
  review(): void {
    for (const [session, { owner, calls }] of pending) {
      if (calls.size === 0 || owner?.isDead === true) pending.delete(session)
      else if (!session.connection.isOpen) {
        this.#fail(`${calls.size} calls of a connection that has ended are pending`)
        pending.delete(session)
      }
      this.checked += 1
    }
  }

  #fail(what: string): void {
    this.failures.push(`${(this.#now() / 1_000).toFixed(3)} s: ${what}`)
  }
}

/** Notes which calls sessions wait for. */
export function watchSessions(): void {
  const { track, untrack, detached } = Session.prototype
  Object.assign(Session.prototype, {
    track(this: Session, call: Parameters<typeof track>[0]) {
      if (this.connection.isOpen && !detachedOnes.has(this)) {
        const found = pending.get(this) ?? { owner: currentOwner(), calls: new Set() }
        pending.set(this, found)
        found.calls.add(call)
      }
      return track.call(this, call)
    },
    detached(this: Session) {
      const made = detached.call(this)
      detachedOnes.add(made)
      return made
    },
    untrack(this: Session, call: Parameters<typeof untrack>[0]) {
      pending.get(this)?.calls.delete(call)
      untrack.call(this, call)
    },
  })
}
