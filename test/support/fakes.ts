/** Fakes of the ports to the platform, the user and the vault. Each records its calls. */
import type {
  AuthorizationResult,
  AuthorizationRequest,
  Authorizer,
  DeliveredCallback,
  DeviceAuthorization,
  ExternalIdentity,
  ReservedAuthorization,
  StoredTokens,
  TokenAccount,
  TokenEndpoint,
  TokenGrant,
  TokenStore,
} from '#daemon/src/auth/auth.ts'
import type { TokenSet } from '#daemon/src/auth/vault/vault.ts'
import { OAuthError } from '#daemon/src/auth/oauth/oauth-error.ts'
import { type AccountKey, isSameAccount } from '@sallyport/core/account-key'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Grant, GrantStore } from '#daemon/src/auth/grants/grant.ts'
import { ALL_KEPT, type ConsentChoice, type Consent, denied, type ConsentRequest } from '#daemon/src/auth/consent/consent-prompts.ts'
import type { Credential, Forwarder } from '#daemon/src/platform/api/forwarder-port.ts'
import { authorizationInformation, CODE, meaningOf, REFRESH_TOKEN, STATE, tokenOf, USER_CODE } from './tokens.ts'

export interface ForwardedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly credential: Credential | undefined
  readonly deadlineAt: number
}

/** The platform's answer to a call: a value, or a promise of one, made from the call and its signal. */
export type Reply = (call: ForwardedCall, signal: CancelSignal) => unknown

/** Knows who a token is for by itself; everything else is answered by `replies`. */
export class FakeForwarder implements Forwarder {
  readonly calls: ForwardedCall[] = []
  readonly replies = new Map<string, Reply>()

  async forward(...[row, args, credential, signal, deadlineAt, follower]: Parameters<Forwarder['forward']>): Promise<unknown> {
    const call = { name: row.name, args, credential, deadlineAt }
    this.calls.push(call)
    const reply = this.replies.get(row.name)
    if (reply !== undefined) {
      follower?.leaving()
      const result = await reply(call, signal)
      follower?.ended('taken', true)
      return result
    }
    const meaning = credential === undefined ? undefined : meaningOf(credential.token.reveal())
    if (row.name === 'GET_CURRENT_AUTHORIZATION_INFORMATION' && meaning !== undefined) return authorizationInformation(meaning)
    throw new BridgeError('INVALID_TOKEN', 'The platform rejected the token; authorize again.')
  }
  async close(): Promise<void> {}
}

/** A user who says yes, unless `decide` is replaced. */
export class FakeAuthorizer implements Authorizer {
  readonly requests: AuthorizationRequest[] = []
  decide: (request: AuthorizationRequest, signal: AbortSignal) => Promise<AuthorizationResult> = async ({ applicationId }) => ({
    code: new Secret(CODE),
    redirectUri: `http://127.0.0.1:9/${applicationId}`,
  })

  /** What was handed over, and who aborted. */
  readonly delivered: string[] = []
  readonly aborted: object[] = []

  /** What was done for all authorizations, in order. */
  readonly steps: string[] = []
  /** Why no page can be charged. */
  refusedCharge: BridgeError | undefined

  reserve(...[request, signal]: Parameters<Authorizer['reserve']>): ReservedAuthorization {
    this.steps.push('reserve')
    const open = async (asked: AuthorizationRequest) => {
      this.steps.push('open')
      this.requests.push(asked)
      return this.decide(asked, signal)
    }
    return {
      signal,
      charge: (changed) => {
        this.steps.push('charge')
        if (this.refusedCharge !== undefined) throw this.refusedCharge
        return { open: () => open({ ...request, ...changed }) }
      },
      [Symbol.dispose]: () => void this.steps.push('release'),
    }
  }
  abort(asker: object): void {
    this.aborted.push(asker)
  }
  deliver(url: Secret<string>): DeliveredCallback {
    this.delivered.push(url.reveal())
    const given = new URLSearchParams(url.reveal().split('?')[1])
    if (given.get('state') !== STATE) throw new BridgeError('INVALID_CONNECTION_CALLBACK_STATE', 'No sign-in expects this callback.')
    return { applicationId: '1234567890', error: given.get('error') ?? undefined }
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
    if (code.reveal() !== CODE || codeVerifier.reveal().length < 43) throw this.#refused()
    this.merges.push(merge)
    return this.#grant(applicationId)
  }
  /** What the user does on the other device: each poll takes one. */
  deviceAnswers: ('authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'allowed' | BridgeError)[] = []
  devices = 0
  /** What the latest sign-in on another device requested. */
  deviceScopes: readonly string[] = []
  async authorizeDevice({ scopes }: Parameters<TokenEndpoint['authorizeDevice']>[0]): Promise<DeviceAuthorization> {
    this.deviceScopes = scopes
    const userCode = `${USER_CODE}${++this.devices}`
    const verificationUri = 'https://example.test/activate'
    return {
      deviceCode: new Secret('device-code'),
      userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?user_code=${userCode}`,
      expiresIn: 300,
      interval: this.deviceAnswers.length === 0 ? 0 : 5,
    }
  }
  async exchangeDevice({ applicationId, merge }: Parameters<TokenEndpoint['exchangeDevice']>[0]): Promise<TokenGrant> {
    const answer = this.deviceAnswers.shift() ?? 'allowed'
    if (answer instanceof BridgeError) throw answer
    if (answer !== 'allowed') throw new OAuthError(answer, undefined)
    this.merges.push(merge)
    return this.#grant(applicationId)
  }
  async refresh({ applicationId, refreshToken }: Parameters<TokenEndpoint['refresh']>[0]): Promise<TokenGrant> {
    if (refreshToken.reveal() !== REFRESH_TOKEN) throw this.#refused()
    return this.#grant(applicationId)
  }
  async revoke({ token }: Parameters<TokenEndpoint['revoke']>[0]): Promise<void> {
    if (this.isDown) throw new BridgeError('SERVICE_UNAVAILABLE', 'The platform cannot be reached.')
    this.revoked.push(token.reveal())
  }

  #refused = (): BridgeError => new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: invalid_grant: The code is not known.')
  #grant = (applicationId: string): TokenGrant => ({
    accessToken: new Secret(tokenOf(this.scopes, { applicationId })),
    refreshToken: new Secret(REFRESH_TOKEN),
    scopes: this.scopes,
    expiresIn: 604_800,
  })
}

const keyOf = ({ applicationId, uid, userId }: TokenAccount): string => [applicationId, uid, userId].join(' ')

/** Tokens in memory, refreshed only as `renewal` says. */
export class FakeTokenStore implements TokenStore {
  readonly #kept = new Map<string, StoredTokens>()
  /** Called for every `current`, before it answers. */
  beforeCurrent: () => Promise<void> = async () => {}
  onDeleted: (account: AccountKey) => void = () => {}

  async store(account: TokenAccount, tokens: TokenSet): Promise<void> {
    this.#kept.set(keyOf(account), { account, tokens })
  }
  async current(account: TokenAccount): Promise<TokenSet | undefined> {
    await this.beforeCurrent()
    return this.#kept.get(keyOf(account))?.tokens
  }
  /** What a refresh after a rejection stores; undefined if it cannot. */
  renewal: () => Secret<string> | undefined = () => undefined
  async renew(account: TokenAccount): Promise<boolean> {
    const kept = this.#kept.get(keyOf(account))
    const accessToken = this.renewal()
    if (kept === undefined || accessToken === undefined) return false
    await this.store(account, { ...kept.tokens, accessToken })
    return true
  }
  async storedFor(applicationId: string, uid: number | undefined): Promise<readonly StoredTokens[]> {
    return [...this.#kept.values()].filter(({ account }) => account.applicationId === applicationId && account.uid === uid)
  }
  async deleteAccount(account: AccountKey): Promise<readonly TokenSet[]> {
    this.onDeleted(account)
    const found = [...this.#kept].filter(([, { tokens }]) => isSameAccount(tokens, account))
    for (const [key] of found) this.#kept.delete(key)
    return found.map(([, { tokens }]) => tokens)
  }
  async list(): Promise<readonly StoredTokens[]> {
    return [...this.#kept.values()]
  }
}

/** Grants in memory; counts its writes. */
export class FakeGrantStore implements GrantStore {
  readonly rows = new Map<string, Grant>()
  writes = 0

  load(platform: string): readonly Grant[] {
    return [...this.rows.values()].filter((grant) => grant.platform === platform)
  }
  put(grant: Grant): void {
    this.writes++
    this.rows.set(grant.id, grant)
  }
  remove(ids: readonly string[]): void {
    this.writes++
    for (const id of ids) this.rows.delete(id)
  }
}

/** A user who says no to every program, unless `decide` is replaced. */
export class FakeConsent implements Consent {
  readonly requests: ConsentRequest[] = []
  decide: (request: ConsentRequest, signal: AbortSignal) => Promise<ConsentChoice | void> = () => Promise.reject(denied())

  async ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentChoice> {
    this.requests.push(request)
    return (await this.decide(request, signal)) ?? ALL_KEPT
  }
}
