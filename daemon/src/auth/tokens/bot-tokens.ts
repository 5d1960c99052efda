/** Bot tokens. Each is used only for its own application, which the platform confirms. */
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { CallLimits } from '../../platform/api/forwarder-port.ts'
import type { BotTokenCollection } from '../vault/vault.ts'

/** The application that a bot token belongs to. */
export interface BotIdentity {
  readonly applicationId: string
  /** The application's name on the platform. */
  readonly name: string
}

export interface BotTokensDeps {
  /** Separates the tokens of different platforms. */
  readonly platform: string
  readonly collection: BotTokenCollection
  /** From the environment or the settings of this run; not stored. */
  readonly configuredToken: Secret<string> | undefined
  /** Identifies the bot at the platform. Rejects with INVALID_TOKEN when it is not a bot token. */
  readonly identify: (token: Secret<string>, limits: CallLimits) => Promise<BotIdentity>
  /** Called when the stored token of an application is replaced or deleted. */
  readonly onChange: (applicationId: string) => void
}

/** Every method may reject with SERVICE_UNAVAILABLE when the vault or the platform is unavailable. */
export interface BotTokens {
  /** Undefined when there is none for this application. Rejects with INVALID_TOKEN when the platform rejects the configured one. */
  of(applicationId: string, limits: CallLimits): Promise<Secret<string> | undefined>
  /** Stores it for the application that the platform returns. Rejects when that is not `expected`. */
  store(token: Secret<string>, expected: string | undefined, limits: CallLimits): Promise<BotIdentity>
  /**
   * Call after a 401 with this token. Verifies the token at the platform, because a call may fail for other reasons, and deletes a stored
   * token that is invalid. Undefined when the token is valid, or its validity is unknown.
   */
  onRejected(applicationId: string, token: Secret<string>, limits: CallLimits): Promise<'stored' | 'configured' | undefined>
  /** False when there was none. */
  delete(applicationId: string): Promise<boolean>
  /** The stored ones. */
  list(): Promise<readonly BotIdentity[]>
}

const isNotBotToken = (failure: unknown): boolean => failure instanceof BridgeError && failure.error === 'INVALID_TOKEN'

export function createBotTokens({ platform, collection, configuredToken, identify, onChange }: BotTokensDeps): BotTokens {
  const keyOf = (applicationId: string): string => JSON.stringify([platform, applicationId])
  let owner: Promise<BotIdentity> | undefined

  /** Cached, because a token belongs to one application. Retries only when the failure was not about the token. */
  const ownerOf = (token: Secret<string>, limits: CallLimits): Promise<BotIdentity> => {
    if (owner !== undefined) return owner
    const identified = identify(token, limits)
    owner = identified
    identified.catch((failure: unknown) => {
      if (!isNotBotToken(failure)) owner = undefined
    })
    return identified
  }

  return {
    async of(applicationId, limits) {
      // The configured token needs no vault and has precedence for its application.
      if (configuredToken !== undefined && (await ownerOf(configuredToken, limits)).applicationId === applicationId) return configuredToken
      return (await collection.get(keyOf(applicationId)))?.token
    },

    async onRejected(applicationId, token, limits) {
      const outcome = await identify(token, limits).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      if (!isNotBotToken(outcome)) return undefined
      if (configuredToken?.reveal() === token.reveal()) return 'configured'
      const key = keyOf(applicationId)
      // Another token may have been stored during the call.
      if ((await collection.get(key))?.token.reveal() === token.reveal()) {
        await collection.delete(key)
        onChange(applicationId)
      }
      return 'stored'
    },

    async store(token, expected, limits) {
      const identity = await identify(token, limits)
      if (expected !== undefined && expected !== identity.applicationId) {
        throw new BridgeError(
          'INVALID_CLIENTID',
          `The token belongs to the bot of application ${identity.applicationId}, not of ${expected}.`,
        )
      }
      await collection.put(keyOf(identity.applicationId), { ...identity, token })
      onChange(identity.applicationId)
      return identity
    },

    async delete(applicationId) {
      const key = keyOf(applicationId)
      if ((await collection.get(key)) === undefined) return false
      await collection.delete(key)
      onChange(applicationId)
      return true
    },

    async list() {
      const stored = await Promise.all((await collection.keys()).map(async (key) => ({ key, bot: await collection.get(key) })))
      return stored.flatMap(({ key, bot }) =>
        bot !== undefined && key === keyOf(bot.applicationId) ? [{ applicationId: bot.applicationId, name: bot.name }] : [],
      )
    },
  }
}
