/** The tokens of bots: each serves its own application and no other, since the platform was asked whose it is. */
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { BotShelf } from '../vault/vault.ts'

/** Whose a bot token is. */
export interface BotIdentity {
  readonly applicationId: string
  /** As the platform calls the application. */
  readonly name: string
}

/** How long the platform may be asked. */
export interface Patience {
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number
}

export interface BotTokensParts {
  /** Keeps the tokens of different platforms apart. */
  readonly platform: string
  readonly shelf: BotShelf
  /** Given to this run in its environment or settings; it is not stored. */
  readonly given: Secret<string> | undefined
  /** Asks the platform. Rejects with INVALID_TOKEN when it is no token of a bot. */
  readonly whose: (token: Secret<string>, patience: Patience) => Promise<BotIdentity>
  /** The stored token of an application is another one, or gone. */
  readonly onChange: (applicationId: string) => void
}

/** Everything may reject with SERVICE_UNAVAILABLE: a vault that does not open, a platform that does not answer. */
export interface BotTokens {
  /** Undefined when there is none for this application. Rejects with INVALID_TOKEN when the one given to this run is refused. */
  of(applicationId: string, patience: Patience): Promise<Secret<string> | undefined>
  /** Stores it for the application that the platform names; `expected` is refused to be another. */
  store(token: Secret<string>, expected: string | undefined, patience: Patience): Promise<BotIdentity>
  /**
   * The platform answered 401 to a call with this token. It is asked once more, since a call may be refused for other reasons: when it
   * really takes the token no longer, a stored one is forgotten. Undefined when it is good after all, or nobody can tell.
   */
  refused(applicationId: string, token: Secret<string>, patience: Patience): Promise<'stored' | 'given' | undefined>
  /** False when there was none. */
  forget(applicationId: string): Promise<boolean>
  /** The stored ones. */
  list(): Promise<readonly BotIdentity[]>
}

const isNoBot = (failure: unknown): boolean => failure instanceof BridgeError && failure.error === 'INVALID_TOKEN'

export function createBotTokens({ platform, shelf, given, whose, onChange }: BotTokensParts): BotTokens {
  const keyOf = (applicationId: string): string => JSON.stringify([platform, applicationId])
  let owner: Promise<BotIdentity> | undefined

  /** Asked once: a token does not change hands. Only an answer that says nothing about the token is asked for again. */
  const ownerOf = (token: Secret<string>, patience: Patience): Promise<BotIdentity> => {
    if (owner !== undefined) return owner
    const asked = whose(token, patience)
    owner = asked
    asked.catch((failure: unknown) => {
      if (!isNoBot(failure)) owner = undefined
    })
    return asked
  }

  return {
    async of(applicationId, patience) {
      // What was given to this run needs no vault, and decides for its application.
      if (given !== undefined && (await ownerOf(given, patience)).applicationId === applicationId) return given
      return (await shelf.get(keyOf(applicationId)))?.token
    },

    async refused(applicationId, token, patience) {
      const verdict = await whose(token, patience).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      if (!isNoBot(verdict)) return undefined
      if (given?.reveal() === token.reveal()) return 'given'
      const key = keyOf(applicationId)
      // Another may have been stored while the call was under way.
      if ((await shelf.get(key))?.token.reveal() === token.reveal()) {
        await shelf.delete(key)
        onChange(applicationId)
      }
      return 'stored'
    },

    async store(token, expected, patience) {
      const identity = await whose(token, patience)
      if (expected !== undefined && expected !== identity.applicationId) {
        throw new BridgeError(
          'INVALID_CLIENTID',
          `The token belongs to the bot of application ${identity.applicationId}, not of ${expected}.`,
        )
      }
      await shelf.put(keyOf(identity.applicationId), { ...identity, token })
      onChange(identity.applicationId)
      return identity
    },

    async forget(applicationId) {
      const key = keyOf(applicationId)
      if ((await shelf.get(key)) === undefined) return false
      await shelf.delete(key)
      onChange(applicationId)
      return true
    },

    async list() {
      const stored = await Promise.all((await shelf.keys()).map(async (key) => ({ key, bot: await shelf.get(key) })))
      return stored.flatMap(({ key, bot }) =>
        bot !== undefined && key === keyOf(bot.applicationId) ? [{ applicationId: bot.applicationId, name: bot.name }] : [],
      )
    },
  }
}
