/** Converts an activity to the form of a headless session and drops fields that it does not have. Pure. */
import { type HeadlessActivity, LIMITS, type StoredActivity } from '@sallyport/protocol'

const PLATFORM = 'desktop'

/** Fields that a headless session does not have, by their path in SET_ACTIVITY. */
const NOT_CARRIED: Readonly<Record<string, (stored: StoredActivity) => unknown>> = {
  'activity.buttons': ({ activity }) => activity.buttons,
  'activity.party.privacy': ({ activity }) => activity.party?.privacy,
  'activity.party': ({ activity }) => (activity.party?.id === undefined ? activity.party : undefined),
  'activity.status_display_type': ({ activity }) => activity.status_display_type,
  'activity.supported_platforms': ({ activity }) => activity.supported_platforms,
  'activity.secrets.spectate': ({ secrets }) => secrets?.spectate,
  'activity.secrets.match': ({ secrets }) => secrets?.match,
}
const NOT_CARRIED_FIELDS = Object.entries(NOT_CARRIED)
const NONE: readonly string[] = []

/** Paths of the fields that this activity has and its headless session has not. Allocates nothing for none: this runs for each activity. */
export function notCarried(stored: StoredActivity): readonly string[] {
  let paths: string[] | undefined
  for (const [path, fieldOf] of NOT_CARRIED_FIELDS) if (fieldOf(stored) != null) (paths ??= []).push(path)
  return paths ?? NONE
}

/** `fallbackName`: used when the name of the activity is too short. */
export function headlessActivity({ activity, secrets }: StoredActivity, applicationId: string, fallbackName: string): HeadlessActivity {
  const { type, name, details, details_url, state, state_url, timestamps, assets, party, flags } = activity
  return {
    type: type as HeadlessActivity['type'],
    name: name.length >= LIMITS.activityTextMin.value ? name : fallbackName,
    application_id: applicationId,
    platform: PLATFORM,
    details,
    details_url,
    state,
    state_url,
    timestamps,
    assets,
    // A party needs an id.
    party: party?.id === undefined ? undefined : { id: party.id, size: party.size },
    secrets: secrets?.join === undefined ? undefined : { join: secrets.join },
    flags,
  }
}
