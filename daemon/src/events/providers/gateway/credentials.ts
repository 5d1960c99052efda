/** Tokens, gateway URL and application flags for gateway connections. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import { type Credentials, missingTokens } from '../../../auth/credentials.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Forwarder } from '../../../platform/api/forwarder-port.ts'
import type { GatewayIdentity } from '../../../platform/gateway/gateway.ts'
import type { ApiClient } from '../../../sessions/api-client.ts'
import { type CallDeadline, TimedCall } from '../../../sessions/timed-call.ts'
import type { TokenSource } from './demand.ts'

/** Every method may reject with BridgeError. */
export interface GatewayCredentials {
  /** Whether a token of the application's bot is stored. */
  hasBot(applicationId: string): Promise<boolean>
  /** The token for Identify and Resume, including its scheme. `source`: for a user's connection. */
  token(identity: GatewayIdentity, source: TokenSource | undefined): Promise<Secret<string>>
  /** The URL of the gateway, without query. */
  url(identity: GatewayIdentity): Promise<string>
  /** The flags of a bot's application. */
  flags(applicationId: string): Promise<number>
}

interface GatewayCredentialsDeps {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'gatewayUrl'>
  readonly credentials: Pick<Credentials, 'forSession' | 'forBot' | 'hasBot'>
  readonly api: Pick<ApiClient, 'asBot'>
  /** For requests without a token. */
  readonly forwarder: Pick<Forwarder, 'forward'>
  readonly clock: Clock
}

const REQUEST_TIMEOUT_MS = 15_000
/** One connection of a bot that needs more shards gets events of only some of its guilds. */
const SHARDS = 1

/** Whether the address is encrypted, or the platform itself is reached without encryption. */
function isSafeAddress(address: string, { baseUrl }: Pick<PlatformProfile, 'baseUrl'>): boolean {
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  return protocol === 'wss:' || (protocol === 'ws:' && new URL(baseUrl).protocol === 'http:')
}

export function createGatewayCredentials({ profile, credentials, api, forwarder, clock }: GatewayCredentialsDeps): GatewayCredentials {
  /** Runs a request that belongs to no call of a game. */
  const withTimeout = <T>(work: (limits: CallDeadline) => Promise<T>): Promise<T> => new TimedCall(clock, REQUEST_TIMEOUT_MS).run(work)

  const userToken = async ({ account, signedIn }: TokenSource): Promise<Secret<string>> => {
    const { applicationId, uid } = account
    const { token } = await withTimeout(async ({ cancelSignal }) => credentials.forSession({ applicationId, uid, signedIn }, cancelSignal))
    return token
  }

  const botAddress = async (applicationId: string): Promise<string> => {
    const answer = await withTimeout((limits) => api.asBot(applicationId, ENDPOINTS.GET_GATEWAY_BOT, {}, limits))
    const { url, shards, session_start_limit: limit } = answer as DataOf<'GET_GATEWAY_BOT'>
    if (limit.remaining <= 0) {
      throw new BridgeError('RATE_LIMITED', `The bot of application ${applicationId} has no gateway session starts left.`, {
        retry_after: limit.reset_after / 1000,
      })
    }
    if (shards > SHARDS) {
      throw new BridgeError(
        'INVALID_PERMISSIONS',
        `The bot of application ${applicationId} is in so many guilds that its gateway connection must be sharded, which this bridge does not support.`,
      )
    }
    return url
  }

  const address = (identity: GatewayIdentity): Promise<string> =>
    identity.kind === 'bot'
      ? botAddress(identity.applicationId)
      : withTimeout(async ({ cancelSignal, deadlineAt }) => {
          const answer = await forwarder.forward(ENDPOINTS.GET_GATEWAY, {}, undefined, cancelSignal, deadlineAt)
          return (answer as DataOf<'GET_GATEWAY'>).url
        })

  return {
    hasBot: (applicationId) => withTimeout((limits) => credentials.hasBot(applicationId, limits)),

    async token(identity, source) {
      if (identity.kind === 'bot') return (await withTimeout((limits) => credentials.forBot(identity.applicationId, limits))).token
      if (source === undefined) throw missingTokens()
      return new Secret(`Bearer ${(await userToken(source)).reveal()}`)
    },

    async url(identity) {
      const { gatewayUrl } = profile
      let found: string
      try {
        found = await address(identity)
      } catch (failure) {
        // A refusal is final. A platform without this endpoint may still have a gateway.
        const isRefused = failure instanceof BridgeError && failure.error !== 'SERVICE_UNAVAILABLE' && failure.detail.http_status !== 404
        if (isRefused || gatewayUrl === undefined) throw failure
        found = gatewayUrl
      }
      if (isSafeAddress(found, profile)) return found
      if (gatewayUrl !== undefined && isSafeAddress(gatewayUrl, profile)) return gatewayUrl
      throw new BridgeError('INVALID_PERMISSIONS', 'The gateway URL of the platform is not a wss URL, so it is not used.')
    },

    async flags(applicationId) {
      const application = await withTimeout((limits) => api.asBot(applicationId, ENDPOINTS.GET_CURRENT_APPLICATION, {}, limits))
      return (application as DataOf<'GET_CURRENT_APPLICATION'>).flags ?? 0
    },
  }
}
