/**
 * The stored sign-ins without their secrets. They are not read before an operator wants them: the system may ask the user to unlock the keychain.
 * A reader never waits for the vault; it gets what was read last.
 */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Signal } from '@sallyport/core/signal'
import type { TokenStore } from '../auth/auth.ts'
import type { BotTokens } from '../auth/tokens/bot-tokens.ts'

interface SignIns {
  readonly accounts: readonly { readonly applicationId: string; readonly userId: string; readonly scopes: readonly string[] }[]
  readonly bots: readonly { readonly applicationId: string; readonly name: string }[]
  /** Why they are not there, as a sentence. */
  readonly problem?: string
}

interface StoredSignInsDeps {
  readonly tokenStore: Pick<TokenStore, 'list'>
  readonly botTokens: Pick<BotTokens, 'list'>
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

const none = (problem: string): SignIns => ({ accounts: [], bots: [], problem })
const NOT_OPEN = none('The stored sign-ins are not open yet. The dashboard and sallyport status open them.')
const OPENING = none('The stored sign-ins are not open yet. When the system asks for the password of the keychain, give it there.')
const UNREAD = none('The stored sign-ins cannot be read; see the log for the reason.')

/** Who opens the vault waits so long; opening goes on. */
const OPEN_MS = 1_000

export class StoredSignIns {
  /** What was read differs from before. */
  readonly changed = new Signal()
  readonly #deps: StoredSignInsDeps
  #last = NOT_OPEN
  #isWanted = false
  #reading: Promise<void> | undefined

  constructor(deps: StoredSignInsDeps) {
    this.#deps = deps
  }

  /** What was read last. Reads again for the next time. */
  current(): SignIns {
    if (this.#isWanted) void this.#read()
    return this.#last
  }

  /** Opens the vault and reads it. Resolves after a second at the latest, because the user may be asked. */
  async open(): Promise<void> {
    this.#isWanted = true
    if (this.#last === NOT_OPEN) this.#last = OPENING
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = this.#deps.clock.after(OPEN_MS, resolve)
    await Promise.race([this.#read(), late])
    cancel()
  }

  /** One read at a time. Never rejects. */
  #read(): Promise<void> {
    this.#reading ??= this.#readNow().then((now) => {
      this.#reading = undefined
      const isSame = JSON.stringify(now) === JSON.stringify(this.#last)
      this.#last = now
      if (!isSame) this.changed.emit()
    })
    return this.#reading
  }

  async #readNow(): Promise<SignIns> {
    const { tokenStore, botTokens, log } = this.#deps
    try {
      const [accounts, bots] = await Promise.all([tokenStore.list(), botTokens.list()])
      return {
        accounts: accounts.map(({ account: { applicationId, userId }, tokens: { scopes } }) => ({ applicationId, userId, scopes })),
        bots: bots.map(({ applicationId, name }) => ({ applicationId, name })),
      }
    } catch (failure) {
      if (failure instanceof BridgeError) return none(failure.message)
      log.error('stored-sign-ins-not-read', { err: failure })
      return UNREAD
    }
  }
}
