/** Converts a stored activity to arguments of SET_ACTIVITY: without computed fields, with button URLs and secrets. Pure. */
import type { StoredActivity } from '@sallyport/protocol'

/** Keys that SET_ACTIVITY accepts unchanged. */
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

export function toSetActivityArgs({ activity, secrets }: StoredActivity): Readonly<Record<string, unknown>> {
  const args: Record<string, unknown> = {}
  for (const key of AS_STORED) if (activity[key] !== undefined && activity[key] !== null) args[key] = activity[key]
  // The client shows the registered name of the application if the game set no name.
  if (activity.name === '') delete args['name']
  const urls = activity.metadata?.button_urls ?? []
  const buttons = (activity.buttons ?? []).flatMap((label, index) => {
    const url = urls[index]
    return url === undefined ? [] : [{ label, url }]
  })
  if (buttons.length > 0) args['buttons'] = buttons
  if (secrets !== undefined) args['secrets'] = { ...secrets }
  return args
}
