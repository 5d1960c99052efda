/** The webhook provider: events that the platform sends to a URL of the application, forwarded here by a tunnel or a relay of the studio. */
import type { KeyObject } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { HeldPort } from '@sallyport/core/net/held-port'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { EventProvider } from '../../provider.ts'
import type { Session } from '../../../sessions/session.ts'
import { createEventHandler, type EventHandlerDeps, publishInteraction, WEBHOOK_EVENTS } from './event-handlers.ts'
import { type Delivery, DeliveryHandler, type DeliveryCounters } from '../../../platform/webhook/delivery-handler.ts'
import { serveWebhooks } from '../../../platform/webhook/listener.ts'
import { LobbyAccessCache, type LobbyAccessDeps } from './lobby-access-cache.ts'
import { publicKey } from '../../../platform/webhook/signature.ts'

export interface WebhookOptions {
  readonly held: HeldPort
  /** The public key of an application, as 64 hexadecimal digits; undefined for an unknown application. */
  readonly keyOf: (applicationId: string) => string | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly deps: Omit<EventHandlerDeps, 'clock' | 'canReadLobby'> & Pick<LobbyAccessDeps, 'api'>
}

/** Applications whose parsed keys are cached. */
const KEYS_MAX = 64

function keyring(keyOf: WebhookOptions['keyOf']): (applicationId: string) => KeyObject | undefined {
  const ready = new Map<string, KeyObject>()
  return (applicationId) => {
    const known = ready.get(applicationId)
    if (known !== undefined) return known
    const hex = keyOf(applicationId)
    if (hex === undefined) return undefined
    const key = publicKey(hex)
    if (ready.size < KEYS_MAX) ready.set(applicationId, key)
    return key
  }
}

export class WebhookProvider implements EventProvider {
  readonly name = 'webhooks'
  readonly #options: WebhookOptions
  readonly #inbox: DeliveryHandler
  #close: Closer | undefined

  constructor(options: WebhookOptions) {
    const { keyOf, clock, log, deps } = options
    this.#options = options
    const lobbyAccess = new LobbyAccessCache({ clock, api: deps.api })
    const handlerDeps: EventHandlerDeps = { clock, ...deps, canReadLobby: (session, lobbyId) => lobbyAccess.canRead(session, lobbyId) }
    this.#inbox = new DeliveryHandler({
      clock,
      log,
      publicKeyOf: keyring(keyOf),
      onEvent: createEventHandler(handlerDeps),
      onInteraction: (interaction) => publishInteraction(interaction, deps),
    })
  }

  /** Deliveries since the start. */
  get counters(): Readonly<DeliveryCounters> {
    return this.#inbox.counters
  }

  start(): Promise<void> {
    const { held, clock } = this.#options
    this.#close = serveWebhooks({ held, clock, handle: (delivery) => this.#receive(delivery) })
    return Promise.resolve()
  }

  /** Returns 500 for an internal failure, so that the platform sends the delivery again. */
  #receive(delivery: Delivery): number {
    try {
      return this.#inbox.handle(delivery)
    } catch (err) {
      this.#options.log.error('webhook-failed', { application: delivery.applicationId, err })
      return 500
    }
  }

  publishes({ applicationId }: Session, event: string): boolean {
    return this.#close !== undefined && WEBHOOK_EVENTS.includes(event) && this.#options.keyOf(applicationId) !== undefined
  }

  /** Empty: the application chooses at the platform which webhook events it gets. */
  reconcile(): void {}

  async stop(): Promise<void> {
    await this.#close?.()
    this.#close = undefined
  }

  health(): ProviderHealth {
    if (this.#close === undefined) return { state: 'idle' }
    const { problem: trouble } = this.#inbox
    return { state: 'active', ...(trouble === undefined ? {} : { reason: trouble }) }
  }
}
