/**
 * Converts an activity from a game to the stored and returned form: drops empty values, checks rules between fields, converts times to ms.
 * Pure; expects input that has passed the schema.
 */
import type { ErrorName } from '../errors.ts'
import { ACTIVITY_FLAGS, type Activity, type ActivityInput } from './activity.ts'

/** Secrets of an activity. They are sent to the platform, but never returned or logged. */
export interface ActivitySecrets {
  readonly join?: string
  readonly spectate?: string
  readonly match?: string
}

/** An activity as the bridge stores it: the returned activity, and the data that is not returned. */
export interface StoredActivity {
  readonly activity: Activity
  readonly secrets: ActivitySecrets | undefined
}

export interface ActivityContext {
  readonly applicationId: string
  /** Registered name of the application, if known; the default if the game sends no name. */
  readonly applicationName?: () => string | undefined
  /** Unix time in ms. */
  readonly nowMs: number
}

/** `stored` is null if the activity is cleared. */
export type StoreOutcome =
  | { readonly stored: StoredActivity | null }
  | { readonly error: ErrorName; readonly message: string; readonly path: string }

/** A time with at least this many decimal digits less than now in ms is in seconds. */
const SECONDS_ARE_SHORTER_BY = 3

const digits = (whole: number): number => String(whole).length
const toMs = (given: number | string, nowMs: number): number => {
  const time = Number(given)
  const leastMs = 10 ** (digits(Math.floor(nowMs)) - SECONDS_ARE_SHORTER_BY)
  // A fraction of a millisecond is dropped, as a clock that counts milliseconds does.
  return Math.floor(time < leastMs ? time * 1000 : time)
}

type Present<T> = { -readonly [Key in keyof T]?: NonNullable<T[Key]> }

/** Returns a copy without null, undefined and empty text; undefined if the copy is empty. */
function meaningful<T extends object>(value: T | null | undefined): Present<T> | undefined {
  if (value === null || value === undefined) return undefined
  const kept: Present<T> = {}
  let isEmpty = true
  for (const key in value) {
    const field = value[key]
    if (field === null || field === undefined || field === '') continue
    kept[key] = field
    isEmpty = false
  }
  return isEmpty ? undefined : kept
}

/** `meaningful`, limited to some fields. */
function pick<T extends object, Key extends keyof T>(value: T, keys: readonly Key[]): Present<Pick<T, Key>> {
  const kept: Present<Pick<T, Key>> = {}
  for (const key of keys) {
    const field = value[key]
    if (field !== null && field !== undefined && field !== '') kept[key] = field
  }
  return kept
}

const SECRETS = ['join', 'spectate', 'match'] as const satisfies readonly (keyof ActivitySecrets)[]

/** Returns the first violated rule of secrets. */
function secretProblem(
  secrets: ActivitySecrets,
  partyId: string | undefined,
  hasButtons: boolean,
): { message: string; path: string } | undefined {
  if (hasButtons) return { message: 'An activity cannot have both secrets and buttons; remove one of them.', path: 'activity.secrets' }
  for (const [index, name] of SECRETS.entries()) {
    const secret = secrets[name]
    if (secret === undefined) continue
    const path = `activity.secrets.${name}`
    if (secret === partyId) return { message: `secrets.${name} equals party.id; a secret must not be guessable from the party.`, path }
    const twin = SECRETS.find((other, before) => before < index && secrets[other] === secret)
    if (twin !== undefined) return { message: `secrets.${name} equals secrets.${twin}; each secret must be unique.`, path }
  }
  return undefined
}

/** Fields that are returned unchanged. */
type Texts = 'name' | 'type' | 'details' | 'details_url' | 'state' | 'state_url' | 'instance' | 'status_display_type'
interface VisibleFields extends Present<Pick<ActivityInput, Texts | 'supported_platforms'>> {
  timestamps?: { start?: number; end?: number }
  assets?: Present<NonNullable<ActivityInput['assets']>>
  party?: NonNullable<Activity['party']>
  buttons?: string[]
  metadata?: { button_urls: string[] }
}
const TEXTS = [
  'name',
  'type',
  'details',
  'details_url',
  'state',
  'state_url',
  'instance',
  'status_display_type',
] as const satisfies readonly Texts[]

/** Returns the sent fields, without empty fields and fields that the platform computes. */
function visibleFields(input: ActivityInput, nowMs: number): VisibleFields {
  const { timestamps, buttons, supported_platforms: platforms } = input
  const visible: VisibleFields = pick(input, TEXTS)
  const times = meaningful(timestamps)
  if (times !== undefined) {
    visible.timestamps = {}
    if (times.start !== undefined) visible.timestamps.start = toMs(times.start, nowMs)
    if (times.end !== undefined) visible.timestamps.end = toMs(times.end, nowMs)
  }
  const assets = meaningful(input.assets)
  if (assets !== undefined) visible.assets = assets
  const party = meaningful(input.party)
  if (party !== undefined) {
    const { size, ...rest } = party
    visible.party = size === undefined ? rest : { ...rest, size: size.map(Number) }
  }
  if (buttons && buttons.length > 0) {
    visible.buttons = buttons.map((button) => button.label)
    visible.metadata = { button_urls: buttons.map((button) => button.url) }
  }
  if (platforms && platforms.length > 0) visible.supported_platforms = platforms
  return visible
}

function flagsOf(isInstance: boolean, secrets: ActivitySecrets | undefined): number {
  let flags = isInstance ? ACTIVITY_FLAGS.INSTANCE : 0
  if (secrets?.join !== undefined) flags |= ACTIVITY_FLAGS.JOIN
  if (secrets?.spectate !== undefined) flags |= ACTIVITY_FLAGS.SPECTATE
  return flags
}

const CLEARED: StoreOutcome = { stored: null }

/** Checks and converts one activity that has passed its schema. An absent, null or empty activity clears the presence. */
export function storeActivity(input: ActivityInput | null | undefined, context: ActivityContext): StoreOutcome {
  if (input === null || input === undefined) return CLEARED
  const secrets = meaningful(input.secrets)
  const visible = visibleFields(input, context.nowMs)
  if (secrets !== undefined) {
    const problem = secretProblem(secrets, visible.party?.id, visible.buttons !== undefined)
    if (problem !== undefined) return { error: 'INVALID_ACTIVITY_SECRET', ...problem }
  } else if (Object.keys(visible).length === 0) return CLEARED
  const activity: Activity = {
    ...visible,
    name: visible.name ?? context.applicationName?.() ?? '',
    type: visible.type ?? 0,
    application_id: context.applicationId,
    flags: flagsOf(visible.instance === true, secrets),
  }
  return { stored: { activity, secrets } }
}
