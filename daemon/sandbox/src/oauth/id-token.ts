/** ID tokens of OpenID Connect, signed with a stored key that is generated at its first use. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { expandScopes, type UserInfo } from '@sallyport/protocol'
import type { Platform } from '../platform.ts'
import type { StoredAuthorization, StoredUser } from '../store/records.ts'
import { hashOf } from './tokens.ts'

const LIFETIME_SECONDS = 3_600
const SECRET_NAME = 'id-token-key'

export const includesIdToken = (scopes: readonly string[]): boolean => scopes.includes('openid')

/** The claims of a user. The name needs identify; the address needs email. */
export function userClaims(user: StoredUser, scopes: Iterable<string>): UserInfo {
  const held = expandScopes(scopes)
  return {
    sub: user.id,
    ...(held.has('identify') ? { preferred_username: user.username, nickname: user.globalName, locale: user.locale } : {}),
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

  /** Generates a missing key, which is slow. Callers start it with the first request for openid. */
  prepare(): void {
    // `sign` reports a failure.
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
