/** Every source there is, between the hub that knows what is wanted and the sources that can tell it. */
import type { EventName } from '@sallyport/protocol'
import { closeAll } from '@sallyport/core/closer'
import type { Session } from '../sessions/session.ts'
import type { DesiredEvent, SubscriptionHub } from './hub.ts'
import type { SourceHealth } from '@sallyport/core/source-health'
import type { Source, SourceName } from './source.ts'

/** Which source answers whom when several could: the first named that takes it. Of everything else only the last can say anything. */
const ANSWERED_BY: ReadonlyMap<string, readonly SourceName[]> = new Map<EventName, readonly SourceName[]>([
  // The gateway knows it at once; the client has it only for those for whom the poll may not ask.
  ['GUILD_STATUS', ['gateway', 'desktop-client', 'guild-status-poll']],
])
const OTHERS_ANSWERED_BY: readonly SourceName[] = ['desktop-client']

export class Sources {
  readonly #hub: SubscriptionHub<Session>
  readonly #sources: readonly Source[]
  #isTellingSoon = false

  /** In any order. */
  constructor(hub: SubscriptionHub<Session>, sources: readonly Source[]) {
    this.#hub = hub
    this.#sources = sources
  }

  async start(): Promise<void> {
    for (const source of this.#sources) await source.start()
    this.#hub.onChange(() => this.#tellSoon())
    this.#tellSoon()
  }

  /** A session subscribed: resolves when it may be answered; undefined when it may be at once. Rejects with BridgeError when the event cannot come. */
  welcome(caller: Session, event: DesiredEvent): Promise<void> | undefined {
    for (const source of this.#sources) source.subscribed?.(caller, event)
    for (const name of ANSWERED_BY.get(event.name) ?? OTHERS_ANSWERED_BY) {
      const welcomed = this.#sources.find((source) => source.name === name)?.welcome?.(caller, event)
      if (welcomed !== undefined) return welcomed
    }
    return undefined
  }

  health(): readonly (SourceHealth & { readonly name: string })[] {
    return this.#sources.map((source) => ({ name: source.name, ...source.health() }))
  }

  /** A source that does not stop keeps no other from stopping; what failed is told at the end. */
  async stop(): Promise<void> {
    this.#hub.onChange(() => {})
    await closeAll(this.#sources.map((source) => () => source.stop()))
  }

  /** A crowd that subscribes in one turn is one change. */
  #tellSoon(): void {
    if (this.#isTellingSoon) return
    this.#isTellingSoon = true
    setImmediate(() => {
      this.#isTellingSoon = false
      const desired = this.#hub.desired()
      for (const source of this.#sources) source.apply(desired)
    })
  }
}
