/** Converts an activity to the form of a headless session and drops fields that it does not have. Pure. */
import { type HeadlessActivity, LIMITS, type StoredActivity } from '@sallyport/protocol'

const PLATFORM = 'desktop'

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
