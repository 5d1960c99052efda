/** The activity proxy of the sandbox. It listens once an application has URL mappings, and never before. */
import { activityOrigin, type ActivityMapping } from '@sallyport/protocol'
import { SOCKET_IDLE_MS } from '../constants.ts'
import { applicationOf, type Platform, rememberApplication } from '../platform.ts'
import { type ActivityPlace, activityPage } from './activity-page.ts'
import { ACTIVITY_PAGE_PATH } from './mappings.ts'
import { type ProxyServerOptions, startProxyServer } from './proxy-server.ts'

export interface ActivityProxyOptions extends Pick<ProxyServerOptions, 'isOwnPeer' | 'port'> {
  readonly platform: Pick<Platform, 'clock' | 'origin' | 'store'>
}

const VOICE_CHANNEL = 2

export class ActivityProxy {
  readonly #options: ActivityProxyOptions
  #server: ReturnType<typeof startProxyServer> | undefined
  #port: number
  #bridge: string | undefined

  constructor(options: ActivityProxyOptions) {
    this.#options = options
    this.#port = options.port
  }

  /** Name and port below which each application has its host. Before the proxy listens on a free port, the port of the sandbox. */
  get host(): string {
    return `localhost:${this.#port === 0 ? new URL(this.#options.platform.origin()).port : this.#port}`
  }

  /** Address of the bridge's websocket, which the pages of activities use. */
  set bridge(address: string | undefined) {
    this.#bridge = address
  }

  /** Listens if an application has mappings. Rejects with SERVICE_UNAVAILABLE when the port is in use. */
  async openIfMapped(): Promise<void> {
    if (this.#options.platform.store.applications.all().some(({ urlMappings }) => urlMappings !== undefined)) await this.#open()
  }

  /** Replaces the mappings of an application; none remove it from the proxy. Returns the address that runs its activity. */
  async setMappings(applicationId: string, mappings: readonly ActivityMapping[]): Promise<string | undefined> {
    const { platform } = this.#options
    const { urlMappings: _, ...application } = applicationOf(platform, applicationId)
    if (mappings.length > 0) await this.#open()
    platform.store.commit([
      ...rememberApplication(platform, applicationId),
      platform.store.applications.put(applicationId, mappings.length === 0 ? application : { ...application, urlMappings: mappings }),
    ])
    return mappings.length === 0 ? undefined : this.addressOf(applicationId)
  }

  addressOf(applicationId: string): string {
    return `${activityOrigin(applicationId, this.host)}${ACTIVITY_PAGE_PATH}`
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined)
    await server?.close()
  }

  async #open(): Promise<void> {
    const { platform, isOwnPeer, port } = this.#options
    this.#server ??= startProxyServer({
      port,
      isOwnPeer,
      idleMs: SOCKET_IDLE_MS,
      apiOrigin: platform.origin(),
      mappingsOf: (applicationId) => platform.store.applications.get(applicationId)?.urlMappings,
      page: (applicationId, query) => activityPage(this.#placeOf(applicationId), this.#bridge, query),
    })
    try {
      this.#port = (await this.#server).port
    } catch (failure) {
      // The port may be free later.
      this.#server = undefined
      throw failure
    }
  }

  /** Every activity runs in the first voice channel of the sandbox. */
  #placeOf(applicationId: string): ActivityPlace {
    const { store } = this.#options.platform
    const channel = store.channels.all().find(({ type }) => type === VOICE_CHANNEL)
    return { applicationId, guildId: channel?.guildId ?? '0', channelId: channel?.id ?? '0' }
  }
}
