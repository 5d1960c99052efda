/**
 * Compares what the platform's gateway sends with what games get. Of messages in lobbies: none is lost that a resume repeats, none comes twice, all
 * come in their order. Of all events that name a user: none reaches a connection of another account.
 */
import { GatewaySession } from '#daemon/sandbox/src/gateway/session.ts'
import type { Direction, Link } from './machine/socket.ts'
import type { Message } from './wire-check.ts'

const TRACED = ['LOBBY_MESSAGE_CREATE', 'LOBBY_MESSAGE_UPDATE'] as const
type Traced = (typeof TRACED)[number]
const isTraced = (name: unknown): name is Traced => (TRACED as readonly unknown[]).includes(name)
/** How long the platform's connection must last after an event, so that it has surely arrived; ms. */
const ARRIVAL_MS = 2_000
/** A subscription or a sign-in may still be under way in the daemon for so long after its answer, or before its end; ms. */
const CHANGE_MS = 500
/** A session of the platform that waits longer is over; ms. */
const WAITING_MS = 5 * 60_000

interface Time {
  readonly from: number
  to: number
}

interface PlatformSession {
  readonly account: string
  /** When it had a connection. */
  readonly connected: Time[]
}

interface Made {
  readonly name: Traced
  readonly key: string
  readonly order: number
  readonly at: number
  readonly session: PlatformSession
}

/** A connection of a game. */
interface Listener {
  readonly link: Link
  readonly game: string
  readonly applicationId: string
  account: string | undefined
  /** When it was signed in as this account and subscribed. */
  readonly listening: Readonly<Record<Traced, Time[]>>
  readonly subscribed: Set<Traced>
  /** What the game asked, by nonce. */
  readonly asked: Map<string, string>
  readonly received: Map<string, number>
  last: number
}

interface Named {
  readonly id?: unknown
  readonly content?: unknown
  readonly user?: { readonly id?: unknown }
  readonly user_id?: unknown
}

/** No two texts are the same, so an edit is known by its text. */
const keyOf = (name: Traced, { id, content }: Named): string => `${name} ${String(id)} "${String(content)}"`

const accountOf = (applicationId: string, userId: string): string => `${applicationId} ${userId}`

/** The user that a relationship of the platform, or of a game, is with. */
const otherOf = (relationship: Named): string => String(relationship.user?.id ?? relationship.user_id ?? relationship.id)

export class EventCheck {
  readonly #now: () => number
  readonly #applicationOf: (game: string) => string
  readonly #sessions = new Map<GatewaySession, PlatformSession>()
  readonly #listeners = new Map<Link, Listener>()
  #made: Made[] = []
  /** Which accounts the platform sent a message to, and the order of its first copy. */
  readonly #sentTo = new Map<string, { readonly order: number; readonly accounts: Set<string> }>()
  /** With whom an account has, or had, a relationship. */
  readonly #others = new Map<string, Set<string>>()
  #orders = 0
  readonly #excused: Time[] = []
  readonly failures: string[] = []
  checked = 0
  /** The id of the newest message. */
  latest: string | undefined

  constructor(now: () => number, applicationOf: (game: string) => string) {
    this.#now = now
    this.#applicationOf = applicationOf
  }

  onDispatch(session: GatewaySession, t: string, d: unknown): void {
    const { account } = this.#sessionOf(session)
    if (t === 'READY') for (const one of (d as { readonly relationships?: readonly Named[] }).relationships ?? []) this.#know(account, one)
    if (t.startsWith('RELATIONSHIP_')) this.#know(account, d as Named)
    if (!isTraced(t)) return
    const key = keyOf(t, d as Named)
    if (t === 'LOBBY_MESSAGE_CREATE') this.latest = String((d as Named).id)
    const order = ++this.#orders
    const sent = this.#sentTo.get(key) ?? { order, accounts: new Set() }
    this.#sentTo.set(key, sent)
    sent.accounts.add(account)
    this.#made.push({ name: t, key, order, at: this.#now(), session: this.#sessionOf(session) })
  }

  onAttach(session: GatewaySession, isAttached: boolean): void {
    const { connected } = this.#sessionOf(session)
    const last = connected.at(-1)
    if (last?.to === Number.POSITIVE_INFINITY) last.to = this.#now()
    if (isAttached) connected.push({ from: this.#now(), to: Number.POSITIVE_INFINITY })
  }

  onMessage(link: Link, direction: Direction, message: Message): void {
    const listener = this.#listenerOf(link)
    const { cmd, evt, nonce } = message
    if (direction === 'up') {
      if (typeof nonce === 'string') listener.asked.set(nonce, `${cmd} ${evt ?? ''}`)
      if (cmd === 'UNSUBSCRIBE' && isTraced(evt)) this.#change(listener, () => listener.subscribed.delete(evt))
      return
    }
    if (typeof nonce !== 'string') return this.#event(listener, message)
    const asked = listener.asked.get(nonce)
    listener.asked.delete(nonce)
    if (evt === 'ERROR') return
    const [command, event] = asked?.split(' ') ?? []
    if (command === 'SUBSCRIBE' && isTraced(event)) this.#change(listener, () => listener.subscribed.add(event))
    if (cmd === 'AUTHENTICATE') {
      const { user } = message.data as { readonly user?: { readonly id: string } }
      if (user !== undefined) this.#change(listener, () => (listener.account = accountOf(listener.applicationId, user.id)))
    }
  }

  /** The daemon may drop events on this connection from now on: its peer does not read, or nothing arrives. */
  excuse(link: Link): void {
    const listener = this.#listeners.get(link)
    if (listener !== undefined) this.#change(listener, () => listener.subscribed.clear())
  }

  /** Connections of the platform may be half-open for so long: what it sends there arrives after a resume, or not at all. */
  excuseAll(ms: number): void {
    this.#excused.push({ from: this.#now() - ARRIVAL_MS, to: this.#now() + ms })
  }

  /** Looks for what is lost. Called from time to time, and at the end. */
  review(): void {
    const now = this.#now()
    for (const listener of this.#listeners.values()) this.#endIfGone(listener, now)
    const waiting: Made[] = []
    for (const made of this.#made) {
      const due = dueAt(made)
      if (due === undefined ? now - made.at < WAITING_MS : now < due + ARRIVAL_MS) waiting.push(made)
      else if (due !== undefined) this.#expectArrived(made, due)
    }
    this.#made = waiting
  }

  #endIfGone(listener: Listener, now: number): void {
    const { link, listening } = listener
    if (!link.up.destroyed && !link.down.destroyed) return
    const until = Math.max(...TRACED.map((name) => listening[name].at(-1)?.to ?? 0))
    if (until === Number.POSITIVE_INFINITY) this.#change(listener, () => listener.subscribed.clear(), endOf(link, now))
    else if (now - until > 2 * WAITING_MS) this.#listeners.delete(link)
  }

  #expectArrived({ name, key, at, session }: Made, due: number): void {
    if (this.#excused.some(({ from, to }) => at >= from && at <= to)) return
    for (const { game, account, listening, received } of this.#listeners.values()) {
      if (account !== session.account) continue
      const isDue = listening[name].some(({ from, to }) => from + CHANGE_MS < at && to > due + ARRIVAL_MS + CHANGE_MS)
      if (!isDue) continue
      this.checked += 1
      if (!received.has(key)) this.#fail(game, `${key}, which the platform sent at ${(at / 1_000).toFixed(3)} s, is lost`)
    }
  }

  #event(listener: Listener, { evt, data }: Message): void {
    const { game, account, received } = listener
    if (evt === 'TOKEN_REVOKED') return this.#change(listener, () => (listener.account = undefined))
    if (evt === 'RELATIONSHIP_UPDATE' && account !== undefined) {
      const other = otherOf(data as Named)
      this.checked += 1
      if (this.#others.get(account)?.has(other) !== true) this.#fail(game, `${evt} about ${other} is of another account`)
    }
    if (!isTraced(evt)) return
    const key = keyOf(evt, data as Named)
    const sent = this.#sentTo.get(key)
    this.checked += 3
    if (sent === undefined || account === undefined || !sent.accounts.has(account)) return this.#fail(game, `${key} is of another account`)
    if (received.has(key)) return this.#fail(game, `${key} comes twice`)
    if (sent.order < listener.last) this.#fail(game, `${key} comes after a later one`)
    received.set(key, this.#now())
    listener.last = sent.order
  }

  #know(account: string, one: Named): void {
    this.#others.set(account, (this.#others.get(account) ?? new Set()).add(otherOf(one)))
  }

  #change(listener: Listener, change: () => unknown, at = this.#now()): void {
    const { listening, subscribed } = listener
    for (const name of TRACED) {
      const last = listening[name].at(-1)
      if (last?.to === Number.POSITIVE_INFINITY) last.to = at
    }
    change()
    if (listener.account === undefined) return
    for (const name of subscribed) listening[name].push({ from: at, to: Number.POSITIVE_INFINITY })
  }

  #sessionOf(session: GatewaySession): PlatformSession {
    const found = this.#sessions.get(session)
    if (found !== undefined) return found
    const made = { account: accountOf(session.caller.applicationId, session.caller.id), connected: [] }
    this.#sessions.set(session, made)
    return made
  }

  #listenerOf(link: Link): Listener {
    const found = this.#listeners.get(link)
    if (found !== undefined) return found
    const game = link.up.owner?.name ?? 'unknown'
    const made: Listener = {
      link,
      game,
      applicationId: this.#applicationOf(game),
      account: undefined,
      listening: { LOBBY_MESSAGE_CREATE: [], LOBBY_MESSAGE_UPDATE: [] },
      subscribed: new Set(),
      asked: new Map(),
      received: new Map(),
      last: 0,
    }
    this.#listeners.set(link, made)
    return made
  }

  #fail(game: string, what: string): void {
    this.failures.push(`${(this.#now() / 1_000).toFixed(3)} s, ${game}: ${what}`)
  }
}

const endOf = (link: Link, now: number): number => Math.min(link.up.endedAt ?? now, link.down.endedAt ?? now)

/** When the event must have been on its way to the daemon; undefined while no connection of its session has lasted since. */
function dueAt({ at, session }: Made): number | undefined {
  const found = session.connected.find(({ from, to }) => to - Math.max(from, at) >= ARRIVAL_MS)
  return found && Math.max(found.from, at)
}

/** Of the run that runs. */
let current: EventCheck | undefined

/** From now on, what the gateway of the platform does is for this run. */
export function observeGateway(check: EventCheck): void {
  current = check
}

/** Notes what the gateway of the platform does. */
export function watchGateway(): void {
  const { dispatch, attach, detach } = GatewaySession.prototype
  Object.assign(GatewaySession.prototype, {
    dispatch(this: GatewaySession, t: string, d: unknown) {
      current?.onDispatch(this, t, d)
      dispatch.call(this, t, d)
    },
    attach(this: GatewaySession, ...given: Parameters<typeof attach>) {
      current?.onAttach(this, true)
      attach.apply(this, given)
    },
    detach(this: GatewaySession) {
      current?.onAttach(this, false)
      detach.call(this)
    },
  })
}
