/** Fakes of the ports behind which the platform, the user and the vault stand. Each keeps what it was asked. */
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  Authorizer,
  ExternalIdentity,
  Holder,
  TokenEndpoint,
  TokenGrant,
  TokenKeeper,
} from '../../daemon/src/auth/auth.ts'
import type { TokenSet } from '../../daemon/src/auth/vault/vault.ts'
import { BridgeError } from '../../daemon/src/core/errors.ts'
import { Secret } from '../../daemon/src/core/secret.ts'
import type { Credential, Forwarder } from '../../daemon/src/upstream/upstream.ts'
import { authorizationInformation, meaningOf, tokenOf } from './tokens.ts'

export interface ForwardedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly credential: Credential | undefined
  readonly deadlineAt: number
}

/** The platform's answer to a call: a value, or a promise of one, made from the call and its signal. */
export type Reply = (call: ForwardedCall, signal: AbortSignal) => unknown

/** Knows who a token is for by itself; everything else is answered by `replies`. */
export class FakeForwarder implements Forwarder {
  readonly calls: ForwardedCall[] = []
  readonly replies = new Map<string, Reply>()

  async forward(...[row, args, credential, signal, deadlineAt]: Parameters<Forwarder['forward']>): Promise<unknown> {
    const call = { name: row.name, args, credential, deadlineAt }
    this.calls.push(call)
    const reply = this.replies.get(row.name)
    if (reply !== undefined) return reply(call, signal)
    const meaning = credential === undefined ? undefined : meaningOf(credential.token.reveal())
    if (row.name === 'GET_CURRENT_AUTHORIZATION_INFORMATION' && meaning !== undefined) return authorizationInformation(meaning)
    throw new BridgeError('INVALID_TOKEN', 'The platform does not accept the token; authorize again.')
  }
  async close(): Promise<void> {}
}

/** A user who says yes, unless `decide` is replaced. */
export class FakeAuthorizer implements Authorizer {
  readonly requests: AuthorizationRequest[] = []
  decide: (request: AuthorizationRequest, signal: AbortSignal) => Promise<AuthorizationAnswer> = async ({ applicationId }) => ({
    code: new Secret('code-for-the-game'),
    redirectUri: `http://127.0.0.1:9/${applicationId}`,
  })

  authorize(request: AuthorizationRequest, signal: AbortSignal): Promise<AuthorizationAnswer> {
    this.requests.push(request)
    return this.decide(request, signal)
  }
}

/** Knows one code and one refresh token; refuses every other as invalid_grant. */
export class FakeTokenEndpoint implements TokenEndpoint {
  scopes: readonly string[] = ['identify', 'guilds']
  readonly revoked: string[] = []
  /** The identity that each exchange was to merge. */
  readonly merges: (ExternalIdentity | undefined)[] = []
  /** Made to fail as a platform that is away. */
  isDown = false

  async exchange({ applicationId, code, codeVerifier, merge }: Parameters<TokenEndpoint['exchange']>[0]): Promise<TokenGrant> {
    if (code.reveal() !== 'code-for-the-game' || codeVerifier.reveal().length < 43) throw this.#refused()
    this.merges.push(merge)
    return this.#grant(applicationId)
  }
  async refresh({ applicationId, refreshToken }: Parameters<TokenEndpoint['refresh']>[0]): Promise<TokenGrant> {
    if (refreshToken.reveal() !== 'refresh-for-the-game') throw this.#refused()
    return this.#grant(applicationId)
  }
  async revoke({ token }: Parameters<TokenEndpoint['revoke']>[0]): Promise<void> {
    if (this.isDown) throw new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.')
    this.revoked.push(token.reveal())
  }

  #refused = (): BridgeError => new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: invalid_grant: The code is not known.')
  #grant = (applicationId: string): TokenGrant => ({
    accessToken: new Secret(tokenOf(this.scopes, { applicationId })),
    refreshToken: new Secret('refresh-for-the-game'),
    scopes: this.scopes,
    expiresIn: 604_800,
  })
}

const keyOf = ({ applicationId, uid, executable }: Holder): string => [applicationId, uid, executable].join(' ')

/** Tokens in memory, never refreshed. */
export class FakeKeeper implements TokenKeeper {
  readonly #kept = new Map<string, { readonly holder: Holder; readonly tokens: TokenSet }>()
  /** Called for every `current`, before it answers. */
  beforeCurrent: () => Promise<void> = async () => {}

  async store(holder: Holder, tokens: TokenSet): Promise<void> {
    this.#kept.set(keyOf(holder), { holder, tokens })
  }
  async current(holder: Holder): Promise<TokenSet | undefined> {
    await this.beforeCurrent()
    return this.#kept.get(keyOf(holder))?.tokens
  }
  async forget(applicationId: string, userId: string): Promise<readonly TokenSet[]> {
    const found = [...this.#kept].filter(([, { tokens }]) => tokens.applicationId === applicationId && tokens.userId === userId)
    for (const [key] of found) this.#kept.delete(key)
    return found.map(([, { tokens }]) => tokens)
  }
  async list(): Promise<readonly { readonly holder: Holder; readonly tokens: TokenSet }[]> {
    return [...this.#kept.values()]
  }
}
