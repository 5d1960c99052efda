/** Files within JSON: data URIs in base64, bounded in the bytes they stand for. */
import * as z from 'zod'
import type { LimitRow } from '../limits.ts'

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const
const SOUND_TYPES = ['audio/mpeg', 'audio/mp3', 'audio/ogg'] as const

/** Bytes behind a well-formed data URI in base64. */
function dataUriBytes(uri: string): number {
  const digits = uri.length - uri.indexOf(',') - 1
  const padding = uri.endsWith('==') ? 2 : uri.endsWith('=') ? 1 : 0
  return Math.floor((digits * 3) / 4) - padding
}

/** `limit` bounds the decoded bytes, which JSON Schema cannot say; the length of the text, which it can, follows from it. */
function dataUri(types: readonly string[], limit: LimitRow, what: string) {
  const bytes = limit.value
  const longestHead = Math.max(...types.map((type) => `data:${type};base64,`.length))
  return z
    .string()
    .max(longestHead + Math.ceil(bytes / 3) * 4)
    .regex(new RegExp(`^data:(?:${types.join('|')});base64,[A-Za-z0-9+/]+={0,2}$`), `must be ${what} as a data URI in base64`)
    .check((context) => {
      const given = dataUriBytes(context.value)
      if (given > bytes)
        context.issues.push({ code: 'custom', message: `has ${given} bytes; at most ${bytes} are allowed`, input: context.value })
    })
    .meta({
      description: `${what[0]?.toUpperCase()}${what.slice(1)} as a data URI in base64 (${types.join(', ')}), at most ${bytes} bytes.`,
    })
}

export const imageData = (limit: LimitRow) => dataUri(IMAGE_TYPES, limit, 'an image')
export const soundData = (limit: LimitRow) => dataUri(SOUND_TYPES, limit, 'a sound')
