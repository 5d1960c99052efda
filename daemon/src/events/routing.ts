/** Assigns a route to each session and event. Providers register their routes and never ask about each other. */
import { Signal } from '@sallyport/core/signal'
import type { Session } from '../sessions/session.ts'
import { type AssignedRoute, PREFERENCE } from './routes.ts'
import type { EventSelector } from './subscription-registry.ts'

/** `declined`: the route does not serve the session after all, so the next one is asked. */
export type Confirmation = 'confirmed' | 'declined'

export interface Route {
  readonly name: AssignedRoute
  /** Whether it brings the event to the session, now or as soon as its connection is open. Asked for events that list it in PREFERENCE. */
  covers(session: Session, event: string): boolean
  /** Whether it brings the event now, as far as is known, where that differs from `covers`. */
  serves?(session: Session, event: string): boolean
  /**
   * Confirms a subscription whose session awaits the response. Publishes the current value of a retained event before it resolves. Undefined:
   * the response may be sent at once. Rejects with BridgeError when the event cannot come.
   */
  confirm?(session: Session, event: EventSelector): Promise<Confirmation> | undefined
}

const NO_ROUTES: readonly Route[] = []

export class EventRouting {
  readonly #routes = new Map<AssignedRoute, Route>()
  /** The registered routes of each event, in order of preference. */
  #byEvent: ReadonlyMap<string, readonly Route[]> = new Map()
  /** What a route covers may have changed. */
  readonly changed = new Signal()

  register(routes: readonly Route[]): void {
    for (const route of routes) this.#routes.set(route.name, route)
    this.#byEvent = new Map(
      Object.entries<readonly AssignedRoute[]>(PREFERENCE).map(([event, names]) => [
        event,
        names.flatMap((name) => this.#routes.get(name) ?? []),
      ]),
    )
  }

  /** Whether this route brings the event to the session: it covers the session, and no route before it does. */
  isAssigned(name: AssignedRoute, session: Session, event: string): boolean {
    for (const route of this.#byEvent.get(event) ?? NO_ROUTES) if (route.covers(session, event)) return route.name === name
    return false
  }

  /** Whether the route covers the session for this event, which need not list it. */
  covers(name: AssignedRoute, session: Session, event: string): boolean {
    return this.#routes.get(name)?.covers(session, event) === true
  }

  /** Whether a route brings the event to the session now. */
  isServed(session: Session, event: string): boolean {
    return (this.#byEvent.get(event) ?? NO_ROUTES).some((route) => route.serves?.(session, event) ?? route.covers(session, event))
  }

  /** Resolves when SUBSCRIBE may be answered; undefined when it may be at once. Rejects with BridgeError when the event cannot come. */
  confirm(session: Session, event: EventSelector): Promise<void> | undefined {
    return this.#confirmBy(this.#byEvent.get(event.name) ?? NO_ROUTES, session, event)
  }

  /** The first of `routes` that covers the session confirms; when it declines, those after it are asked. */
  #confirmBy(routes: readonly Route[], session: Session, event: EventSelector): Promise<void> | undefined {
    const index = routes.findIndex((route) => route.covers(session, event.name))
    return routes[index]
      ?.confirm?.(session, event)
      ?.then((answer) => (answer === 'declined' ? this.#confirmBy(routes.slice(index + 1), session, event) : undefined))
  }
}
