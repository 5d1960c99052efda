/** Checks platform profiles: one row per field. Written by hand, as the kinds of settings, because each start pays for it. */
import { ORIGIN_RULE } from '@sallyport/core/origins'
import type { PlatformProfile } from '@sallyport/core/profile'
import { isObject, type Kind, matching, text } from './kinds.ts'

interface Field {
  readonly check: Kind<unknown>
  /** What it must be, after "must be". */
  readonly expected: string
  /** The value of a missing field; absent: the field is required. */
  readonly preset?: { readonly value: unknown }
}

const OPTIONAL = { preset: { value: undefined } }

const url: Kind<string> = (given) => (typeof given === 'string' && URL.canParse(given) ? given : undefined)

/** A list, also an empty one, whose elements are all of the kind. */
const list =
  (kind: Kind<string>): Kind<readonly string[]> =>
  (given) =>
    Array.isArray(given) && given.every((one) => kind(one) !== undefined) ? given : undefined

const anyText: Kind<string> = (given) => (typeof given === 'string' ? given : undefined)

const removed: Kind<object> = (given) =>
  isObject(given) && Object.entries(given).every(([key, kinds]) => (key === 'a' || key === 'b') && list(anyText)(kinds) !== undefined)
    ? given
    : undefined

const TEXT: Field = { check: text, expected: 'text that is not empty' }
const ADDRESS: Field = { check: url, expected: 'a URL' }
const ORIGINS: Field = {
  check: list(matching(ORIGIN_RULE)),
  expected: 'a list of origins, as scheme://host[:port] (:* for any port)',
  preset: { value: [] },
}

const FIELDS: Readonly<Record<keyof PlatformProfile | 'settings', Field>> = {
  name: TEXT,
  ipcPrefix: { check: matching(/^[A-Za-z0-9_.-]+$/), expected: 'letters, digits, dots, dashes and underscores' },
  baseUrl: ADDRESS,
  authorizeUrl: ADDRESS,
  tokenUrl: ADDRESS,
  revokeUrl: ADDRESS,
  issuer: { ...ADDRESS, ...OPTIONAL },
  gatewayUrl: { ...ADDRESS, ...OPTIONAL },
  cdnHost: TEXT,
  activityProxyHost: TEXT,
  removedConnections: { check: removed, expected: 'an object with lists of connection types in a and b', ...OPTIONAL },
  presenceOrigins: ORIGINS,
  rpcOrigins: ORIGINS,
  userAgent: TEXT,
  callIdHeader: { check: matching(/^[A-Za-z0-9-]{1,64}$/), expected: 'letters, digits and dashes', ...OPTIONAL },
  customSchemePrefix: TEXT,
  settings: {
    check: (given) => (isObject(given) ? given : undefined),
    expected: 'an object with defaults for the settings',
    preset: { value: {} },
  },
}

interface ProfileFile {
  readonly profile: PlatformProfile
  /** Defaults for the settings by file key, not checked. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The profile of a file, or a sentence with all its problems. */
export function checkProfile(content: unknown): ProfileFile | string {
  if (!isObject(content)) return 'It must be a JSON object.'
  const problems = Object.keys(content)
    .filter((key) => !(key in FIELDS))
    .map((key) => `${key} is unknown`)
  const checked: Record<string, unknown> = {}
  for (const [name, { check, expected, preset }] of Object.entries(FIELDS)) {
    const given = content[name]
    if (given === undefined && preset === undefined) problems.push(`${name} is missing`)
    const value = given === undefined ? preset?.value : check(given)
    if (given !== undefined && value === undefined) problems.push(`${name} must be ${expected}`)
    if (value !== undefined) checked[name] = value
  }
  if (problems.length > 0) return `${problems.join(', ')}.`
  const { settings, ...profile } = checked
  // Each field was checked by its row.
  return { profile, settings } as unknown as ProfileFile
}
