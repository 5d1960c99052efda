/** The webhook source: events that the platform sends to an address of the application, which a tunnel or a studio's relay leads here. */
import type { KeyObject } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { SourceHealth } from '@sallyport/core/source-health'
import type { Source } from '../../source.ts'
import { follower, type FollowPorts } from './follow.ts'
import { type Delivery, Inbox, type InboxCounters } from '../../../platform/webhook/inbox.ts'
import { listenForWebhooks, type WebhookListener } from '../../../platform/webhook/listener.ts'
import { LobbyReaders, type LobbyReadersParts } from './lobby-readers.ts'
import { publicKey } from '../../../platform/webhook/signature.ts'

export interface WebhookOptions {
  /** 0 = any free one. */
  readonly port: number
  /** The public key of an application, as 64 hexadecimal digits; undefined for one that is not known. */
  readonly keyOf: (applicationId: string) => string | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly ports: Omit<FollowPorts, 'clock' | 'mayReadLobby'> & { readonly readLobby: LobbyReadersParts['read'] }
}

/** Applications whose keys are kept ready; others are made anew. */
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

export class WebhookSource implements Source {
  readonly name = 'webhooks'
  readonly #options: WebhookOptions
  readonly #inbox: Inbox
  #listener: WebhookListener | undefined

  constructor(options: WebhookOptions) {
    const { keyOf, clock, log, ports } = options
    this.#options = options
    const readers = new LobbyReaders({ clock, read: ports.readLobby })
    const followPorts: FollowPorts = { clock, ...ports, mayReadLobby: (caller, lobbyId) => readers.mayRead(caller, lobbyId) }
    this.#inbox = new Inbox({ clock, log, keyOf: keyring(keyOf), act: follower(followPorts) })
  }

  /** What came since the start. */
  get counters(): Readonly<InboxCounters> {
    return this.#inbox.counters
  }

  /** What comes before the id of an application, `http://127.0.0.1:PORT/webhooks/`; undefined while it does not listen. */
  get base(): string | undefined {
    return this.#listener?.base
  }

  /** Rejects with SERVICE_UNAVAILABLE when the port cannot be had. */
  async start(): Promise<void> {
    const { port, clock } = this.#options
    this.#listener = await listenForWebhooks({ port, clock, receive: (delivery) => this.#receive(delivery) })
  }

  /** A failure of ours is no refusal: the platform sends it again. */
  #receive(delivery: Delivery): number {
    try {
      return this.#inbox.receive(delivery)
    } catch (err) {
      this.#options.log.error('webhook-failed', { application: delivery.applicationId, err })
      return 500
    }
  }

  /** The platform decides what it sends here, by what the application asked for. */
  apply(): void {}

  async stop(): Promise<void> {
    await this.#listener?.close()
    this.#listener = undefined
  }

  health(): SourceHealth {
    if (this.#listener === undefined) return { state: 'idle' }
    const { trouble } = this.#inbox
    return { state: 'live', ...(trouble === undefined ? {} : { reason: trouble }) }
  }
}
