/** The tokens that the program of a session may use. */
import type { Secret } from '@sallyport/core/secret'
import type { TokenStore } from '../../auth/auth.ts'
import type { Grants } from '../../auth/grants/grants.ts'
import type { TokenSet } from '../../auth/vault/vault.ts'
import type { Session } from '../../sessions/session.ts'

export interface ProgramTokensDeps {
  readonly tokenStore: Pick<TokenStore, 'storedFor'>
  /** Which program may use which account. */
  readonly grants: Pick<Grants, 'allowed'>
}

export interface TokenInUse {
  readonly userId: string
  readonly accessToken: Secret<string>
}

export class ProgramTokens {
  readonly #deps: ProgramTokensDeps

  constructor(deps: ProgramTokensDeps) {
    this.#deps = deps
  }

  /** The stored tokens, the latest grant first. */
  async stored({ applicationId, program }: Session): Promise<readonly TokenSet[]> {
    const allowed = this.#deps.grants.allowed(program, applicationId)
    // Without a grant there is nothing to read, so the vault may stay closed.
    if (allowed.length === 0) return []
    const stored = await this.#deps.tokenStore.storedFor(applicationId, program.uid)
    return allowed.flatMap(({ userId }) => stored.filter(({ account }) => account.userId === userId).map(({ tokens }) => tokens))
  }

  /** The token of this session and the stored ones. */
  async inUse(session: Session): Promise<readonly TokenInUse[]> {
    const found = new Map<string, TokenInUse>()
    for (const one of [session.signedIn, ...(await this.stored(session))]) if (one !== undefined) found.set(one.accessToken.reveal(), one)
    return [...found.values()]
  }
}
