/** ID tokens of OpenID Connect, signed with a key that is made at the first need and kept in the store. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { expandScopes } from '@sallyport/protocol'
import type { Platform } from '../platform.ts'
import type { StoredAuthorization, StoredUser } from '../store/records.ts'
import { hashOf } from './tokens.ts'

const LIFETIME_SECONDS = 3_600
const SECRET_NAME = 'id-token-key'

export const wantsIdToken = (scopes: readonly string[]): boolean => scopes.includes('openid')

/** What is told of a user; the name needs identify, the address email. */
export function userClaims(user: StoredUser, scopes: Iterable<string>): Record<string, unknown> {
  const held = expandScopes(scopes)
  return {
    sub: user.id,
    ...(held.has('identify') ? { preferred_username: user.username, nickname: user.globalName, locale: user.locale, picture: null } : {}),
    ...(held.has('email') ? { email: user.email, email_verified: true } : {}),
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export class IdTokens {
  readonly #platform: Platform
  #key: Promise<KeyObject> | undefined

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** Makes the key when there is none yet, which takes a while; worth starting as soon as somebody asks for openid. */
  prepare(): void {
    // A failure shows at `sign`.
    this.#signingKey().catch(() => {})
  }

  async sign(authorization: StoredAuthorization, nonce: string | null): Promise<string | undefined> {
    const user = this.#platform.store.users.get(authorization.userId)
    if (user === undefined) return undefined
    const key = await this.#signingKey()
    const issuedAt = Math.floor(this.#platform.clock.now() / 1000)
    const header = { alg: 'RS256', typ: 'JWT', kid: keyId(key) }
    const claims = {
      iss: this.#platform.origin(),
      aud: authorization.applicationId,
      iat: issuedAt,
      exp: issuedAt + LIFETIME_SECONDS,
      auth_time: Math.floor(authorization.createdAt / 1000),
      ...(nonce === null ? {} : { nonce }),
      ...userClaims(user, authorization.scopes),
    }
    const input = `${encoded(header)}.${encoded(claims)}`
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
  }

  /** The key set that verifies the tokens. */
  async keySet(): Promise<object> {
    const key = await this.#signingKey()
    return { keys: [{ ...createPublicKey(key).export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: keyId(key) }] }
  }

  #signingKey(): Promise<KeyObject> {
    this.#key ??= this.#loadOrMake()
    return this.#key
  }

  async #loadOrMake(): Promise<KeyObject> {
    const { store, sealer } = this.#platform
    const stored = sealer.open(store.secrets.get(SECRET_NAME)?.sealed ?? '', SECRET_NAME)
    if (stored !== undefined) return createPrivateKey(stored)
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    store.commit([store.secrets.put(SECRET_NAME, { sealed: sealer.seal(pem, SECRET_NAME) })])
    return privateKey
  }
}

const keyId = (key: KeyObject): string =>
  hashOf(createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')).slice(0, 16)
