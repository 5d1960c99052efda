/** All event providers, driven by the subscriptions in the registry. */
import type { EventName } from '@sallyport/protocol'
import { closeAll } from '@sallyport/core/closer'
import type { Session } from '../sessions/session.ts'
import type { EventSelector, SubscriptionRegistry } from './subscription-registry.ts'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { EventProvider, ProviderName } from './provider.ts'

/** Which providers can confirm a subscription to an event. The first in the list that accepts confirms it. */
const CONFIRMED_BY: ReadonlyMap<string, readonly ProviderName[]> = new Map<EventName, readonly ProviderName[]>([
  // The gateway has the state at once. The desktop client serves only the sessions whose scopes do not allow the poll.
  ['GUILD_STATUS', ['gateway', 'desktop-client', 'guild-status-poll']],
])
const DEFAULT_CONFIRMED_BY: readonly ProviderName[] = ['desktop-client']

export class EventProviders {
  readonly #hub: SubscriptionRegistry<Session>
  readonly #providers: readonly EventProvider[]
  #isReconcileScheduled = false

  /** `providers` may be in any order. */
  constructor(hub: SubscriptionRegistry<Session>, providers: readonly EventProvider[]) {
    this.#hub = hub
    this.#providers = providers
  }

  async start(): Promise<void> {
    for (const provider of this.#providers) await provider.start()
    this.#hub.onChange(() => this.#scheduleReconcile())
    this.#scheduleReconcile()
  }

  /** Resolves when SUBSCRIBE may be answered; undefined when it may be at once. Rejects with BridgeError when the event cannot come. */
  confirm(session: Session, event: EventSelector): Promise<void> | undefined {
    for (const provider of this.#providers) provider.onSubscribe?.(session, event)
    for (const name of CONFIRMED_BY.get(event.name) ?? DEFAULT_CONFIRMED_BY) {
      const confirmed = this.#providers.find((provider) => provider.name === name)?.confirm?.(session, event)
      if (confirmed !== undefined) return confirmed
    }
    return undefined
  }

  health(): readonly (ProviderHealth & { readonly name: string })[] {
    return this.#providers.map((provider) => ({ name: provider.name, ...provider.health() }))
  }

  /** A provider that does not stop does not keep the others from stopping. Rejects at the end with what failed. */
  async stop(): Promise<void> {
    this.#hub.onChange(() => {})
    await closeAll(this.#providers.map((provider) => () => provider.stop()))
  }

  /** All subscriptions of one turn are one change. */
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
