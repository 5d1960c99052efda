/** Reads the activity in an invite. It comes from another user, so only the known fields are kept, each with its limit. Pure. */
import { fieldsOf, listOf, nonEmptyTextOf, numberOf } from '@sallyport/core/json-read'
import { type Activity, LIMITS } from '@sallyport/protocol'

const LINES = ['name', 'details', 'state'] as const
const IMAGES = ['large_image', 'small_image', 'invite_cover_image'] as const
const IMAGE_TEXTS = ['large_text', 'small_text'] as const

function texts<Name extends string>(value: unknown, names: readonly Name[], max: number): { [Key in Name]?: string } {
  const from = fieldsOf(value)
  const kept: { [Key in Name]?: string } = {}
  for (const name of names) {
    const text = nonEmptyTextOf(from[name], max)
    if (text !== undefined) kept[name] = text
  }
  return kept
}

const hasFields = (value: object): boolean => Object.keys(value).length > 0

/** The fields that an invite shows: texts, type, images and the size of the party. */
export function shownActivity(value: unknown): Partial<Activity> {
  const from = fieldsOf(value)
  const type = numberOf(from['type'])
  const assets = {
    ...texts(from['assets'], IMAGES, LIMITS.activityImage.value),
    ...texts(from['assets'], IMAGE_TEXTS, LIMITS.activityTextMax.value),
  }
  const size = listOf(fieldsOf(from['party'])['size']).flatMap((count) => numberOf(count) ?? [])
  return {
    ...texts(from, LINES, LIMITS.activityTextMax.value),
    ...(type === undefined ? {} : { type }),
    ...(hasFields(assets) ? { assets } : {}),
    ...(size.length === 2 ? { party: { size } } : {}),
  }
}
