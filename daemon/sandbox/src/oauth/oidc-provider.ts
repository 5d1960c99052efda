/** The OpenID Connect provider of an application, and the check of its ID tokens. */
import { createPublicKey, type KeyObject, verify, constants } from 'node:crypto'
import {
  brokenIssuerRule,
  discoveryProblem,
  type IdTokenAlgorithm,
  type IdTokenFault,
  idTokenFault,
  keysOf,
  type ProviderReply,
} from '@sallyport/protocol'
import { PlatformError, type PlatformErrorName } from '../platform-error.ts'
import { type Platform, rememberApplication } from '../platform.ts'

const ERRORS: Readonly<Record<IdTokenFault, PlatformErrorName>> = {
  expired: 'identityExpired',
  issuer: 'identityOfOtherIssuer',
  audience: 'identityForOthers',
  tooOld: 'identityTooOld',
  noConfiguration: 'noIdentitySettings',
  noKeys: 'noIdentityKeys',
  malformed: 'identityMalformed',
  noKeyId: 'identityWithoutKey',
}

const refused = (fault: IdTokenFault): PlatformError => new PlatformError(ERRORS[fault])

interface OidcSettings {
  readonly applicationId: string
  readonly issuer: string
  readonly audience: string
  /** Configured replies of the issuer's addresses. */
  readonly discovery: ProviderReply
  readonly keys: ProviderReply
}

/** Sets the provider of an application. Throws invalidForm for an issuer or a configuration that breaks a rule. */
export function setOidcProvider(platform: Platform, { applicationId, issuer, audience, discovery, keys }: OidcSettings): void {
  const rule = brokenIssuerRule(issuer)
  if (rule !== undefined) throw invalid('issuer', rule.name, `The issuer ${rule.message}.`)
  const problem = discoveryProblem(discovery, issuer)
  if (problem !== undefined) throw invalid('discovery', 'discovery', `The configuration of the issuer ${problem}.`)
  const { store } = platform
  store.commit([...rememberApplication(platform, applicationId), store.oidcProviders.put(applicationId, { issuer, audience, keys })])
}

const invalid = (field: string, code: string, message: string): PlatformError =>
  new PlatformError('invalidForm', { errors: { [field]: { _errors: [{ code: code.toUpperCase().replaceAll('-', '_'), message }] } } })

/** Whether the text can be an ID token. The sandbox's own tokens can have dots too. */
export const isIdToken = (token: string): boolean => !token.startsWith('sandbox-') && token.split('.').length === 3

/** The name of the ID token's user here. Throws the platform's error for an invalid token. */
export function oidcName({ store, clock }: Platform, applicationId: string, token: string): string {
  const provider = store.oidcProviders.get(applicationId)
  if (provider === undefined) throw refused('noConfiguration')
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = decoded(head)
  const claims = decoded(body)
  const { issuer, audience } = provider
  const fault = idTokenFault({ header, claims, issuer, audience, now: clock.now() / 1000 })
  if (fault !== undefined) throw refused(fault)
  const keys = keysOf(provider.keys)
  const jwk = keys?.find(({ kid }) => kid === header['kid'])
  if (jwk === undefined) throw refused('noKeys')
  const algorithm = header['alg'] as IdTokenAlgorithm
  if (!isSigned(`${head}.${body}`, Buffer.from(signature, 'base64url'), algorithm, publicKey(jwk))) throw refused('malformed')
  return `oidc ${String(claims['sub'])}`
}

function decoded(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  } catch {
    // The caller refuses it as malformed.
  }
  throw refused('malformed')
}

function publicKey(jwk: Readonly<Record<string, unknown>>): KeyObject {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    throw refused('noKeys')
  }
}

/** Signature schemes by prefix of the algorithm. A key of another type verifies no signature. */
const SCHEMES = {
  RS: { type: 'rsa', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS: { type: 'rsa', options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } },
  ES: { type: 'ec', options: { dsaEncoding: 'ieee-p1363' } },
} as const

function isSigned(input: string, signature: Buffer, algorithm: IdTokenAlgorithm, key: KeyObject): boolean {
  const { type, options } = SCHEMES[algorithm.slice(0, 2) as keyof typeof SCHEMES]
  return key.asymmetricKeyType === type && verify(`sha${algorithm.slice(2)}`, Buffer.from(input), { key, ...options }, signature)
}
