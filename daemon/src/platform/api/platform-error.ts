/** Parses error bodies of the platform: JSON errors, OAuth 2 errors and 429 bodies. The input is untrusted. */
import { nonEmptyTextOf, numberOf } from '@sallyport/core/json-read'
import { boundedWaitMs } from '@sallyport/core/bounded-wait'

/** The linked external identity in an IDENTITY_IS_LINKED error; the LINKED_KEYS that the platform sent. */
export type LinkedIdentity = Readonly<Record<string, string | null>>

const LINKED_KEYS = ['user_id', 'provider_type', 'provider_id', 'provider_issued_user_id']

/** The error code with the owner of the identity. */
const IDENTITY_IS_LINKED = 530010

export interface PlatformError {
  readonly code?: number
  readonly message?: string
  /** Field errors, unchanged. */
  readonly errors?: object
  readonly retryAfterMs?: number
  readonly isGlobal?: boolean
  /** RFC 6749 `error`, on OAuth endpoints. */
  readonly oauthError?: string
  readonly oauthDescription?: string
  readonly linked?: LinkedIdentity
}

export interface FieldError {
  /** For example `members[0].metadata`; empty for the request as a whole. */
  readonly path: string
  readonly message: string
}

type Tree = Readonly<Record<string, unknown>>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | undefined => nonEmptyTextOf(value, Number.POSITIVE_INFINITY)

/** Undefined if the body is not a JSON object, such as an error page of a proxy. */
export function readPlatformError(body: string): PlatformError | undefined {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return undefined
  }
  if (!isTree(json)) return undefined
  const seconds = numberOf(json.retry_after)
  return {
    ...present('code', numberOf(json.code)),
    ...present('message', textOf(json.message)),
    ...present('errors', isTree(json.errors) ? json.errors : undefined),
    ...present('retryAfterMs', seconds === undefined ? undefined : boundedWaitMs(seconds * 1000)),
    ...present('isGlobal', typeof json.global === 'boolean' ? json.global : undefined),
    ...present('oauthError', textOf(json.error)),
    ...present('oauthDescription', textOf(json.error_description)),
    ...(json.code === IDENTITY_IS_LINKED ? { linked: linkedIdentity(json) } : {}),
  }
}

/** Converts numbers to strings, like all ids. */
function linkedIdentity(json: Tree): LinkedIdentity {
  const known: Record<string, string | null> = {}
  for (const key of LINKED_KEYS) {
    const value = json[key]
    if (value === null) known[key] = null
    else if (typeof value === 'string' || typeof value === 'number') known[key] = String(value)
  }
  return known
}

const present = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }

const FIELD_ERRORS = 20
const FIELD_DEPTH = 16

/** The leaves of a field error tree, in order, bounded in number and depth. */
export function fieldErrors(errors: object | undefined): readonly FieldError[] {
  const found: FieldError[] = []
  if (errors !== undefined) collect(errors, '', FIELD_DEPTH, found)
  return found
}

function collect(node: object, path: string, depth: number, found: FieldError[]): void {
  for (const [key, value] of Object.entries(node)) {
    if (found.length >= FIELD_ERRORS) return
    if (key === '_errors' && Array.isArray(value)) {
      for (const leaf of value) if (found.length < FIELD_ERRORS) found.push({ path, message: leafMessage(leaf) })
    } else if (isTree(value) && depth > 0) {
      collect(value, joined(path, key), depth - 1, found)
    }
  }
}

const leafMessage = (leaf: unknown): string => (isTree(leaf) ? textOf(leaf.message) : textOf(leaf)) ?? 'is not accepted'

const INDEX = /^[0-9]+$/
const joined = (path: string, key: string): string => (INDEX.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`)
