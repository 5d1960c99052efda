/** Files in JSON: base64 data URIs with a limit of the decoded bytes. */
import * as z from 'zod'
import type { LimitRow } from '../limits.ts'

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const
const SOUND_TYPES = ['audio/mpeg', 'audio/mp3', 'audio/ogg'] as const

/** Returns the number of decoded bytes of a valid base64 data URI. */
function dataUriBytes(uri: string): number {
  const digits = uri.length - uri.indexOf(',') - 1
  const padding = uri.endsWith('==') ? 2 : uri.endsWith('=') ? 1 : 0
  return Math.floor((digits * 3) / 4) - padding
}

/** `limit` applies to the decoded bytes, which JSON Schema cannot express; the maximum text length is derived from it. */
function dataUri(types: readonly string[], limit: LimitRow, what: string) {
  const bytes = limit.value
  const longestHead = Math.max(...types.map((type) => `data:${type};base64,`.length))
  return z
    .string()
    .max(longestHead + Math.ceil(bytes / 3) * 4)
    .regex(new RegExp(`^data:(?:${types.join('|')});base64,[A-Za-z0-9+/]+={0,2}$`), `must be ${what} as a base64 data URI`)
    .check((context) => {
      const given = dataUriBytes(context.value)
      if (given > bytes)
        context.issues.push({ code: 'custom', message: `has ${given} bytes; at most ${bytes} are allowed`, input: context.value })
    })
    .meta({
      description: `${what[0]?.toUpperCase()}${what.slice(1)} as a base64 data URI (${types.join(', ')}), at most ${bytes} bytes.`,
    })
}

export const imageData = (limit: LimitRow) => dataUri(IMAGE_TYPES, limit, 'an image')
export const soundData = (limit: LimitRow) => dataUri(SOUND_TYPES, limit, 'a sound')
