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

/**
 * A time below a thousandth of now, rounded down to a power of ten, is in seconds: it has at least three decimal digits less than now in ms.
 * Straight lines instead of loops over names here: SET_ACTIVITY is the most used command, and V8 is slow at writing computed keys.
 */
function leastMs(nowMs: number): number {
  let least = 1
  while (least * 1000 <= nowMs) least *= 10
  return least
}

function toMs(given: number | string, nowMs: number): number {
  const time = Number(given)
  // A fraction of a millisecond is dropped, as a clock that counts milliseconds does.
  return Math.floor(time < leastMs(nowMs) ? time * 1000 : time)
}

type Present<T> = { -readonly [Key in keyof T]?: NonNullable<T[Key]> }

/** Games send null and empty text for absent values. */
const isGiven = <T>(field: T): field is NonNullable<T> => field !== null && field !== undefined && field !== ''

/** Returns undefined for an object without fields. */
function unlessEmpty<T extends object>(kept: T): T | undefined {
  for (const _ in kept) return kept
  return undefined
}

function secretsOf(given: ActivityInput['secrets']): ActivitySecrets | undefined {
  if (!given) return undefined
  const kept: Present<ActivitySecrets> = {}
  if (isGiven(given.join)) kept.join = given.join
  if (isGiven(given.spectate)) kept.spectate = given.spectate
  if (isGiven(given.match)) kept.match = given.match
  return unlessEmpty(kept)
}

interface Problem {
  readonly message: string
  readonly path: string
}

const inParty = (name: keyof ActivitySecrets): Problem => ({
  message: `secrets.${name} equals party.id; a secret must not be guessable from the party.`,
  path: `activity.secrets.${name}`,
})
const repeated = (name: keyof ActivitySecrets, other: keyof ActivitySecrets): Problem => ({
  message: `secrets.${name} equals secrets.${other}; each secret must be unique.`,
  path: `activity.secrets.${name}`,
})

/** Returns the first violated rule of secrets. */
function secretProblem({ join, spectate, match }: ActivitySecrets, partyId: string | undefined, hasButtons: boolean): Problem | undefined {
  if (hasButtons) return { message: 'An activity cannot have both secrets and buttons; remove one of them.', path: 'activity.secrets' }
  if (join !== undefined && join === partyId) return inParty('join')
  if (spectate !== undefined) {
    if (spectate === partyId) return inParty('spectate')
    if (spectate === join) return repeated('spectate', 'join')
  }
  if (match !== undefined) {
    if (match === partyId) return inParty('match')
    if (match === join) return repeated('match', 'join')
    if (match === spectate) return repeated('match', 'spectate')
  }
  return undefined
}

function timestampsOf(given: ActivityInput['timestamps'], nowMs: number): { start?: number; end?: number } | undefined {
  if (!given) return undefined
  const kept: { start?: number; end?: number } = {}
  if (isGiven(given.start)) kept.start = toMs(given.start, nowMs)
  if (isGiven(given.end)) kept.end = toMs(given.end, nowMs)
  return unlessEmpty(kept)
}

type Assets = NonNullable<ActivityInput['assets']>

function assetsOf(given: ActivityInput['assets']): Present<Assets> | undefined {
  if (!given) return undefined
  const kept: Present<Assets> = {}
  if (isGiven(given.large_image)) kept.large_image = given.large_image
  if (isGiven(given.large_text)) kept.large_text = given.large_text
  if (isGiven(given.large_url)) kept.large_url = given.large_url
  if (isGiven(given.small_image)) kept.small_image = given.small_image
  if (isGiven(given.small_text)) kept.small_text = given.small_text
  if (isGiven(given.small_url)) kept.small_url = given.small_url
  const cover = isGiven(given.invite_cover_image) ? given.invite_cover_image : given.inviteCoverImage
  if (isGiven(cover)) kept.invite_cover_image = cover
  return unlessEmpty(kept)
}

function partyOf(given: ActivityInput['party']): NonNullable<Activity['party']> | undefined {
  if (!given) return undefined
  const kept: NonNullable<Activity['party']> = {}
  if (isGiven(given.id)) kept.id = given.id
  if (isGiven(given.privacy)) kept.privacy = given.privacy
  if (isGiven(given.size)) kept.size = [Number(given.size[0]), Number(given.size[1])]
  return unlessEmpty(kept)
}

/** Fields that are returned unchanged. */
type Texts = 'name' | 'type' | 'details' | 'details_url' | 'state' | 'state_url' | 'instance' | 'status_display_type'
interface VisibleFields extends Present<Pick<ActivityInput, Texts | 'supported_platforms'>> {
  timestamps?: { start?: number; end?: number }
  assets?: Present<Assets>
  party?: NonNullable<Activity['party']>
  buttons?: string[]
  metadata?: { button_urls: string[] }
}

/** Returns the sent fields, without empty fields and fields that the platform computes. */
function visibleFields(input: ActivityInput, nowMs: number): VisibleFields {
  const visible: VisibleFields = {}
  if (isGiven(input.name)) visible.name = input.name
  if (isGiven(input.type)) visible.type = input.type
  if (isGiven(input.details)) visible.details = input.details
  if (isGiven(input.details_url)) visible.details_url = input.details_url
  if (isGiven(input.state)) visible.state = input.state
  if (isGiven(input.state_url)) visible.state_url = input.state_url
  if (isGiven(input.instance)) visible.instance = input.instance
  if (isGiven(input.status_display_type)) visible.status_display_type = input.status_display_type
  const timestamps = timestampsOf(input.timestamps, nowMs)
  if (timestamps !== undefined) visible.timestamps = timestamps
  const assets = assetsOf(input.assets)
  if (assets !== undefined) visible.assets = assets
  const party = partyOf(input.party)
  if (party !== undefined) visible.party = party
  const { buttons, supported_platforms: platforms } = input
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
  const secrets = secretsOf(input.secrets)
  const visible = visibleFields(input, context.nowMs)
  if (secrets !== undefined) {
    const problem = secretProblem(secrets, visible.party?.id, visible.buttons !== undefined)
    if (problem !== undefined) return { error: 'INVALID_ACTIVITY_SECRET', ...problem }
  } else if (unlessEmpty(visible) === undefined) return CLEARED
  const activity: Activity = {
    ...visible,
    name: visible.name ?? context.applicationName?.() ?? '',
    type: visible.type ?? 0,
    application_id: context.applicationId,
    flags: flagsOf(visible.instance === true, secrets),
  }
  return { stored: { activity, secrets } }
}
