/** What connections need of the platform and of stored tokens: whose token, which address, what the application may ask for. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import type { TokenKeeper } from '../../../auth/auth.ts'
import type { BotTokens } from '../../../auth/tokens/bot-tokens.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Credential, Forwarder } from '../../../platform/api/upstream.ts'
import type { GatewayParty } from '../../../platform/gateway/gateway.ts'
import type { Holder } from './parties.ts'

/** Everything may reject with BridgeError. */
export interface PlatformSide {
  /** Whether a token of the application's bot is known. */
  hasBot(applicationId: string): Promise<boolean>
  /** As Identify and Resume name it, scheme included. `holder`: of a user's connection. */
  token(party: GatewayParty, holder: Holder | undefined): Promise<Secret<string>>
  /** Where the gateway is, without query. */
  url(party: GatewayParty): Promise<string>
  /** Flags of the application of a bot. */
  flags(applicationId: string): Promise<number>
}

export interface PlatformSideParts {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'gatewayUrl'>
  readonly keeper: Pick<TokenKeeper, 'current'>
  readonly botTokens: Pick<BotTokens, 'of'>
  readonly forwarder: Pick<Forwarder, 'forward'>
  readonly clock: Clock
}

const ASK_MS = 15_000
/** A bot that needs more is told of a part of its guilds only. */
const SHARDS = 1

const noBot = (applicationId: string): BridgeError =>
  new BridgeError(
    'INVALID_PERMISSIONS',
    `No token of the bot of application ${applicationId} is known here; whoever runs the bridge stores one with: sallyport login --bot`,
  )

const signedOut = (): BridgeError => new BridgeError('INVALID_TOKEN', 'The user has signed out, or the grant has ended: sign in again.')

/** An address of a platform that is reached in secrecy is no good without it. */
function isSafeAddress(address: string, { baseUrl }: Pick<PlatformProfile, 'baseUrl'>): boolean {
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  return protocol === 'wss:' || (protocol === 'ws:' && new URL(baseUrl).protocol === 'http:')
}

export function createPlatformSide({ profile, keeper, botTokens, forwarder, clock }: PlatformSideParts): PlatformSide {
  /** Runs a question that belongs to no call. */
  const patiently = async <T>(
    work: (patience: { readonly signal: AbortSignal; readonly deadlineAt: number }) => Promise<T>,
  ): Promise<T> => {
    const timeout = new AbortController()
    const cancel = clock.after(ASK_MS, () => timeout.abort())
    try {
      return await work({ signal: timeout.signal, deadlineAt: clock.now() + ASK_MS })
    } finally {
      cancel()
    }
  }

  const botToken = async (applicationId: string): Promise<Secret<string>> => {
    const token = await patiently((patience) => botTokens.of(applicationId, patience))
    if (token === undefined) throw noBot(applicationId)
    return token
  }

  const botCredential = async (applicationId: string): Promise<Credential> => ({
    kind: 'bot',
    id: `${applicationId}:bot`,
    token: await botToken(applicationId),
  })

  const userToken = async ({ account, signedIn }: Holder): Promise<Secret<string>> => {
    if (!signedIn.isManaged) return signedIn.accessToken
    const tokens = await patiently(({ signal }) => keeper.current(account, signal))
    if (tokens === undefined) throw signedOut()
    return tokens.accessToken
  }

  const botAddress = async (applicationId: string): Promise<string> => {
    const credential = await botCredential(applicationId)
    const answer = await patiently(({ signal, deadlineAt }) =>
      forwarder.forward(ENDPOINTS.GET_GATEWAY_BOT, {}, credential, signal, deadlineAt),
    )
    const { url, shards, session_start_limit: limit } = answer as DataOf<'GET_GATEWAY_BOT'>
    if (limit.remaining <= 0) {
      throw new BridgeError(
        'RATE_LIMITED',
        `The bot of application ${applicationId} has begun as many gateway sessions as it may for now.`,
        {
          retry_after: limit.reset_after / 1000,
        },
      )
    }
    if (shards > SHARDS) {
      throw new BridgeError(
        'INVALID_PERMISSIONS',
        `The bot of application ${applicationId} is in so many guilds that its gateway connection must be split, which this bridge does not do.`,
      )
    }
    return url
  }

  const address = (party: GatewayParty): Promise<string> =>
    party.kind === 'bot'
      ? botAddress(party.applicationId)
      : patiently(async ({ signal, deadlineAt }) => {
          const answer = await forwarder.forward(ENDPOINTS.GET_GATEWAY, {}, undefined, signal, deadlineAt)
          return (answer as DataOf<'GET_GATEWAY'>).url
        })

  return {
    async hasBot(applicationId) {
      return (await patiently((patience) => botTokens.of(applicationId, patience))) !== undefined
    },

    async token(party, holder) {
      if (party.kind === 'bot') return botToken(party.applicationId)
      if (holder === undefined) throw signedOut()
      return new Secret(`Bearer ${(await userToken(holder)).reveal()}`)
    },

    async url(party) {
      const { gatewayUrl } = profile
      let found: string
      try {
        found = await address(party)
      } catch (failure) {
        // What the platform refuses stays refused; one that does not say where its gateway is may still have one.
        const isRefused = failure instanceof BridgeError && failure.error !== 'SERVICE_UNAVAILABLE' && failure.detail.http_status !== 404
        if (isRefused || gatewayUrl === undefined) throw failure
        found = gatewayUrl
      }
      if (isSafeAddress(found, profile)) return found
      if (gatewayUrl !== undefined && isSafeAddress(gatewayUrl, profile)) return gatewayUrl
      throw new BridgeError('INVALID_PERMISSIONS', 'The platform names a gateway that is not reached by wss, which is not used.')
    },

    async flags(applicationId) {
      const credential = await botCredential(applicationId)
      const application = await patiently(({ signal, deadlineAt }) =>
        forwarder.forward(ENDPOINTS.GET_CURRENT_APPLICATION, {}, credential, signal, deadlineAt),
      )
      return (application as DataOf<'GET_CURRENT_APPLICATION'>).flags ?? 0
    },
  }
}
