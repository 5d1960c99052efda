/** From what a game shows to what the platform takes for a headless session: what it has no field for is left out. Pure. */
import { type HeadlessActivity, LIMITS, type StoredActivity } from '@sallyport/protocol'

const PLATFORM = 'desktop'

/** `fallbackName`: shown when the game named nothing that can be. */
export function headlessActivity({ activity, secrets }: StoredActivity, applicationId: string, fallbackName: string): HeadlessActivity {
  const { type, name, details, details_url, state, state_url, timestamps, assets, party, flags } = activity
  const { invite_cover_image: _cover, ...images } = assets ?? {}
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
    assets: assets == null ? undefined : images,
    // A party without a name is nobody's.
    party: party?.id === undefined ? undefined : { id: party.id, size: party.size },
    secrets: secrets?.join === undefined ? undefined : { join: secrets.join },
    flags,
  }
}
