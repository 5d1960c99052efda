/** The names of fields that contain secrets. One list for redaction in logs and in messages of the platform. */

/** Names on the wire. Every value below such a name is secret. */
export const SECRET_NAMES: readonly string[] = [
  'access_token',
  'authorization',
  'bot_token',
  'client_secret',
  'code',
  'code_verifier',
  'cookie',
  'device_code',
  'external_auth_token',
  'external_token',
  'id_token',
  'interaction_token',
  'join',
  'match',
  'operator_proof',
  'parent_access_token',
  'parent_client_secret',
  'parent_token',
  'refresh_token',
  'rpc_token',
  'secret',
  'secrets',
  'spectate',
  'ticket',
  'token',
  'tokens',
]

const NAMES: ReadonlySet<string> = new Set(SECRET_NAMES)

/** Secret only while a sign-in or an upload goes on; the log never has them. */
const NAMES_IN_FRAMES: ReadonlySet<string> = new Set(['upload_url', 'user_code', 'verification_uri_complete'])

const CAPITAL = /[A-Z]/
const CAPITALS = /[A-Z]/g

/** Whether a field of a frame contains a secret, also with its name in camel case. */
export function isSecretName(name: string): boolean {
  const onWire = CAPITAL.test(name) ? name.replace(CAPITALS, (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`) : name
  return NAMES.has(onWire) || NAMES_IN_FRAMES.has(onWire)
}

/** Plain data: a list or an object without a class. */
export const isContainer = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

/** The secret strings in plain data, at any depth. */
export function extractSecrets(data: unknown): readonly string[] {
  const found: string[] = []
  // Iterative, because a caller determines the nesting depth of its arguments.
  const remaining: { readonly value: unknown; readonly isSecret: boolean }[] = isContainer(data) ? [{ value: data, isSecret: false }] : []
  for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) {
    const { value, isSecret } = next
    if (typeof value === 'string') found.push(value)
    if (!isContainer(value)) continue
    for (const [name, inner] of Object.entries(value)) {
      const isInnerSecret = isSecret || NAMES.has(name)
      if (typeof inner === 'object' || (isInnerSecret && typeof inner === 'string'))
        remaining.push({ value: inner, isSecret: isInnerSecret })
    }
  }
  return found
}
