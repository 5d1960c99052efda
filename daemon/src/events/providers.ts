/** All event providers, driven by the subscriptions in the registry. */
import { closeAll } from '@sallyport/core/closer'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import { type EventName, EVENTS, type EventRow, satisfies } from '@sallyport/protocol'
import type { Session } from '../sessions/session.ts'
import type { EventProvider } from './provider.ts'
import { ASSIGNED_ROUTES, OTHER_ROUTES, otherRoutesOf, preferenceOf } from './routes.ts'
import type { EventRouting } from './routing.ts'
import type { EventSelector, SubscriptionRegistry } from './subscription-registry.ts'

interface EventProvidersDeps {
  readonly hub: SubscriptionRegistry<Session>
  readonly routing: EventRouting
  /** In any order. A provider whose routes are preferred should come first: those after it then start no work that it makes superfluous. */
  readonly providers: readonly EventProvider[]
}

export class EventProviders {
  readonly #hub: SubscriptionRegistry<Session>
  readonly #routing: EventRouting
  readonly #providers: readonly EventProvider[]
  #isReconcileScheduled = false
  #stopListening: readonly (() => void)[] = []

  constructor({ hub, routing, providers }: EventProvidersDeps) {
    this.#hub = hub
    this.#routing = routing
    this.#providers = providers
    routing.register(providers.flatMap(({ routes = [] }) => routes))
  }

  async start(): Promise<void> {
    for (const provider of this.#providers) await provider.start()
    this.#stopListening = [this.#hub.changed, this.#routing.changed].map((signal) => signal.on(() => this.#scheduleReconcile()))
    this.#scheduleReconcile()
  }

  /** Resolves when SUBSCRIBE may be answered; undefined when it may be at once. Rejects with BridgeError when the event cannot come. */
  confirm(session: Session, event: EventSelector): Promise<void> | undefined {
    const release = this.#hub.hold(session, event)
    for (const provider of this.#providers) provider.onSubscribe?.(session, event)
    const confirmed = this.#routing.confirm(session, event)
    if (confirmed === undefined) release?.()
    else if (release !== undefined) void afterResponse(confirmed, release)
    return confirmed
  }

  /** Why nothing brings a subscribed event to the session now, as a sentence; undefined when something does. Asked after the confirmation. */
  unserved(session: Session, { name }: EventSelector): string | undefined {
    const row: EventRow = EVENTS[name as EventName]
    if (!satisfies(row.requires, session.scopes))
      return `${name} needs the scope ${row.requires.flat().join(' or ')}, so it comes once the user has signed in. The subscription stays.`
    const others = otherRoutesOf(name)
    // Invites are messages to the user.
    const isOther = others.includes('bridge') || (others.includes('invites') && this.#routing.covers('user', session, name))
    if (isOther || this.#routing.isServed(session, name) || this.#providers.some((one) => one.publishes?.(session, name) === true))
      return undefined
    const routes = [...preferenceOf(name).map((route) => ASSIGNED_ROUTES[route]), ...others.map((route) => OTHER_ROUTES[route])]
    return `Nothing brings ${name} to this game now. It comes by ${routes.join('; or by ')}. The subscription stays.`
  }

  health(): readonly (ProviderHealth & { readonly name: string })[] {
    return this.#providers.map((provider) => ({ name: provider.name, ...provider.health() }))
  }

  /** A provider that does not stop does not keep the others from stopping. Rejects at the end with what failed. */
  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop()
    await closeAll(this.#providers.map((provider) => () => provider.stop()))
  }

  /** All changes of one turn are one. */
  #scheduleReconcile(): void {
    if (this.#isReconcileScheduled) return
    this.#isReconcileScheduled = true
    setImmediate(() => {
      this.#isReconcileScheduled = false
      const selectors = this.#hub.selectors()
      for (const provider of this.#providers) provider.reconcile(selectors)
    })
  }
}

/** Calls `work` a turn after the subscription is confirmed or refused: the response is sent first. */
async function afterResponse(confirmed: Promise<void>, work: () => void): Promise<void> {
  await confirmed.catch(() => {})
  setImmediate(work)
}
