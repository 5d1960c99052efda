/** A copy of plain data without its secrets, for the log and for readers outside the daemon. */
import { extractSecrets, isContainer, isSecretName } from './secret-names.ts'
import { containsSecret, secretVariants } from './secret-variants.ts'

export const REDACTED = '[redacted]'
/** In place of the value of an argument that no table knows, which may be a secret. */
export const UNKNOWN = '[unknown]'
const TOO_DEEP = '[too deep]'
/** Levels that are copied. A caller determines the nesting of its arguments. */
const MAX_DEPTH = 64

/** A parameter of a URL or a form with the name of a secret, and its value. */
const PARAMETER = /([?&#;]|^)([a-z_]+)=[^&#;\s"]+/gi
/** A value of an Authorization header inside another text. */
const CREDENTIALS = /\b(Bearer|Basic|Bot) [\w.~+/=-]{20,}/g

/** Most texts have no sign of either, and the log copies some for each connection. */
function withoutParameters(text: string): string {
  const rest = text.includes('=')
    ? text.replace(PARAMETER, (whole, before: string, name: string) => (isSecretName(name) ? `${before}${name}=${REDACTED}` : whole))
    : text
  return rest.includes(' ') ? rest.replace(CREDENTIALS, `$1 ${REDACTED}`) : rest
}

/** As `redacted`, for what most lines of the log are: one level of texts and numbers, none below the name of a secret. Undefined for all else. */
function redactedLine(data: object): object | undefined {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(data)) {
    const value = (data as Record<string, unknown>)[name]
    // An assignment to `__proto__` would lose it.
    if ((typeof value === 'object' && value !== null) || isSecretName(name) || name === '__proto__') return undefined
    copy[name] = typeof value === 'string' ? withoutParameters(value) : value
  }
  return copy
}

/**
 * Replaces every text below the name of a secret, each other text that repeats one, and secrets in URLs. Numbers stay below `code`, because
 * these are error codes.
 */
export function redacted(data: unknown): unknown {
  const line = isContainer(data) && !Array.isArray(data) ? redactedLine(data) : undefined
  if (line !== undefined) return line
  // What has the marker already is redacted once more without a change.
  const secrets = secretVariants(extractSecrets(data).filter((secret) => secret !== REDACTED))
  const copy = (value: unknown, name: string | undefined, depth: number): unknown => {
    if (typeof value === 'string') {
      if (value === '') return value
      return name !== undefined || containsSecret(value, secrets) ? REDACTED : withoutParameters(value)
    }
    if (typeof value === 'number' || typeof value === 'bigint') return name === undefined || name === 'code' ? value : REDACTED
    if (typeof value !== 'object' || value === null) return value
    if (depth === MAX_DEPTH) return TOO_DEEP
    if (ArrayBuffer.isView(value)) return name === undefined ? { bytes: value.byteLength } : REDACTED
    if (Array.isArray(value)) return value.map((inner) => copy(inner, name, depth + 1))
    // A Secret prints itself, an error has a serializer.
    if (!isContainer(value)) return value
    const entries = Object.entries(value).map(([key, inner]) => [
      containsSecret(key, secrets) ? REDACTED : key,
      copy(inner, name ?? (isSecretName(key) ? key : undefined), depth + 1),
    ])
    return Object.fromEntries(entries)
  }
  return copy(data, undefined, 0)
}
