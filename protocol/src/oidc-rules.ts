/**
 * Rules for OpenID Connect providers of provisional accounts: issuer URL, discovery document, key set and ID tokens.
 * Rules are rows in order; the first violated rule is reported.
 */

/** Parts of an issuer URL; undefined if absent. */
interface Parts {
  readonly scheme: string
  readonly credentials: string | undefined
  readonly host: string
  readonly port: string | undefined
  readonly query: string | undefined
  readonly fragment: string | undefined
}

const ADDRESS = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?(\[[^\]/?#]*\]|[^/?#:@[\]]*)(?::([^/?#@]*))?(?:\/[^?#]*)?(\?[^#]*)?(#.*)?$/
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
/** No spaces, control characters or backslashes, because parsers treat them differently. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/
/** Suffixes that do not resolve on the public internet. */
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set(['local', 'arpa', 'internal', 'localhost'])
const MAX_PORT = 65_535

const labelsOf = ({ host }: Parts): readonly string[] => host.split('.')
const lastLabel = (parts: Parts): string => labelsOf(parts).at(-1)?.toLowerCase() ?? ''

export interface IssuerRule {
  readonly name: string
  readonly message: string
  readonly holds: (parts: Parts) => boolean
}

export const ISSUER_RULES: readonly IssuerRule[] = [
  { name: 'https', message: 'must begin with https://', holds: ({ scheme }) => scheme.toLowerCase() === 'https' },
  { name: 'no-credentials', message: 'must not contain a user name or password', holds: ({ credentials }) => credentials === undefined },
  { name: 'no-query', message: 'must have no query', holds: ({ query }) => query === undefined },
  { name: 'no-fragment', message: 'must have no fragment', holds: ({ fragment }) => fragment === undefined },
  {
    name: 'no-address',
    message: 'must have a host name, not an IP address',
    holds: (parts) => !parts.host.startsWith('[') && !/^(?:[0-9]+|0x[0-9a-f]*)$/.test(lastLabel(parts)),
  },
  {
    name: 'host-name',
    message: 'must have a well-formed host name',
    holds: (parts) => labelsOf(parts).every((label) => LABEL.test(label)),
  },
  { name: 'two-labels', message: 'must have a host name with at least two labels', holds: (parts) => labelsOf(parts).length >= 2 },
  {
    name: 'public-name',
    message: `must not end in ${[...PRIVATE_SUFFIXES].map((suffix) => `.${suffix}`).join(', ')}`,
    holds: (parts) => !PRIVATE_SUFFIXES.has(lastLabel(parts)),
  },
  {
    name: 'port',
    message: 'must have a port from 1 to 65535 or no port',
    holds: ({ port }) => port === undefined || (/^[0-9]{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= MAX_PORT),
  },
]

/** Returns the first rule that an issuer URL violates; undefined if it is valid. */
export function brokenIssuerRule(issuer: string): Pick<IssuerRule, 'name' | 'message'> | undefined {
  const match = PLAIN.test(issuer) ? ADDRESS.exec(issuer) : null
  if (match === null) return { name: 'address', message: 'must be a URL' }
  const [, scheme = '', credentials, host = '', port, query, fragment] = match
  return ISSUER_RULES.find(({ holds }) => !holds({ scheme, credentials, host, port, query, fragment }))
}

export const ID_TOKEN_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const
export type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number]

export const isIdTokenAlgorithm = (name: unknown): name is IdTokenAlgorithm => (ID_TOKEN_ALGORITHMS as readonly unknown[]).includes(name)

/** HTTP response of a provider. */
export interface ProviderReply {
  readonly status: number
  readonly body: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the JSON object of a response; undefined if it is not usable. Redirects are not followed. */
const documentOf = ({ status, body }: ProviderReply): Readonly<Record<string, unknown>> | undefined =>
  status === 200 && isObject(body) ? body : undefined

/** Returns why the discovery document of an issuer is not usable; undefined if it is. */
export function discoveryProblem(reply: ProviderReply, issuer: string): string | undefined {
  if (reply.status >= 300 && reply.status < 400) return 'is a redirect, which is not followed'
  const document = documentOf(reply)
  if (document === undefined) return `returns status ${reply.status}, or no JSON object`
  if (document['issuer'] !== issuer) return 'names another issuer'
  const keys = document['jwks_uri']
  const broken = typeof keys === 'string' ? brokenIssuerRule(keys) : { message: 'is missing' }
  if (broken !== undefined) return `has a jwks_uri that ${broken.message}`
  const algorithms = document['id_token_signing_alg_values_supported']
  return Array.isArray(algorithms) && algorithms.some(isIdTokenAlgorithm)
    ? undefined
    : `has no id_token_signing_alg_values_supported of ${ID_TOKEN_ALGORITHMS.join(', ')}`
}

/** Returns the keys of a key set response; undefined if it is not usable. */
export function keysOf(reply: ProviderReply): readonly Readonly<Record<string, unknown>>[] | undefined {
  const keys = documentOf(reply)?.['keys']
  return Array.isArray(keys) ? keys.filter(isObject) : undefined
}

/** Header and claims of an ID token, and the expected issuer and audience. */
export interface IdTokenFacts {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly issuer: string
  readonly audience: string
  /** Seconds since the epoch. */
  readonly now: number
}

/** Platform error codes of ID token faults. */
export const ID_TOKEN_FAULTS = {
  expired: 530001,
  issuer: 530002,
  audience: 530003,
  tooOld: 530004,
  noConfiguration: 530008,
  noKeys: 530009,
  malformed: 530020,
  noKeyId: 530027,
} as const
export type IdTokenFault = keyof typeof ID_TOKEN_FAULTS

const WEEK_S = 7 * 24 * 3600
/** Tolerated clock difference. */
const LEEWAY_S = 60

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isFor = (audience: unknown, expected: string): boolean =>
  audience === expected || (Array.isArray(audience) && audience.includes(expected))

const ID_TOKEN_RULES: readonly { readonly fault: IdTokenFault; readonly isBroken: (facts: IdTokenFacts) => boolean }[] = [
  { fault: 'malformed', isBroken: ({ header }) => !isIdTokenAlgorithm(header['alg']) },
  { fault: 'noKeyId', isBroken: ({ header }) => !isText(header['kid']) },
  { fault: 'malformed', isBroken: ({ claims }) => !isText(claims['sub']) || !isTime(claims['exp']) || !isTime(claims['iat']) },
  { fault: 'issuer', isBroken: ({ claims, issuer }) => claims['iss'] !== issuer },
  { fault: 'audience', isBroken: ({ claims, audience }) => !isFor(claims['aud'], audience) },
  { fault: 'expired', isBroken: ({ claims, now }) => Number(claims['exp']) + LEEWAY_S <= now },
  { fault: 'malformed', isBroken: ({ claims, now }) => Number(claims['iat']) > now + LEEWAY_S },
  { fault: 'tooOld', isBroken: ({ claims, now }) => Number(claims['iat']) < now - WEEK_S },
]

/** Returns the first fault of an ID token; undefined if only the signature remains to be verified. */
export const idTokenFault = (facts: IdTokenFacts): IdTokenFault | undefined => ID_TOKEN_RULES.find(({ isBroken }) => isBroken(facts))?.fault
