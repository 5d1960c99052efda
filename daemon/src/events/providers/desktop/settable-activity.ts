/** A stored activity as SET_ACTIVITY takes it: what the platform computes left out, buttons with their addresses, secrets back in. Pure. */
import type { StoredActivity } from '@sallyport/protocol'

/** Keys of the stored form that SET_ACTIVITY takes as they are. */
const AS_STORED = [
  'name',
  'type',
  'details',
  'details_url',
  'state',
  'state_url',
  'timestamps',
  'assets',
  'party',
  'instance',
  'status_display_type',
  'supported_platforms',
] as const

export function settableActivity({ activity, secrets }: StoredActivity): Readonly<Record<string, unknown>> {
  const settable: Record<string, unknown> = {}
  for (const key of AS_STORED) if (activity[key] !== undefined && activity[key] !== null) settable[key] = activity[key]
  // The client shows the registered name where a game gave none.
  if (activity.name === '') delete settable['name']
  const urls = activity.metadata?.button_urls ?? []
  const buttons = (activity.buttons ?? []).flatMap((label, index) => {
    const url = urls[index]
    return url === undefined ? [] : [{ label, url }]
  })
  if (buttons.length > 0) settable['buttons'] = buttons
  if (secrets !== undefined) settable['secrets'] = { ...secrets }
  return settable
}
