/** Under which names secrets travel: what platforms may echo and logs may be handed is recognised by them. One list, so that none forgets what another knows. */

/** As on the wire. Below such a name everything is secret. */
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
  'token',
  'tokens',
]

const NAMES: ReadonlySet<string> = new Set(SECRET_NAMES)

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

/** The secret texts of a value of plain data, however deep they stand. */
export function secretTexts(data: unknown): readonly string[] {
  const found: string[] = []
  // A list of what is left rather than recursion: a caller decides how deep its arguments nest.
  const left: { readonly value: unknown; readonly isSecret: boolean }[] = [{ value: data, isSecret: false }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, isSecret } = next
    if (typeof value === 'string' && isSecret) found.push(value)
    if (!isContainer(value)) continue
    for (const [name, inner] of Object.entries(value)) left.push({ value: inner, isSecret: isSecret || NAMES.has(name) })
  }
  return found
}
