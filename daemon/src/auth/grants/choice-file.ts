/**
 * A second copy of what the user refused: blocked programs, hidden games, and places where games are not shown. The list of grants has them too; when one file is lost or cannot be
 * read, the other one says which they are.
 */
import { constants, readFileSync } from 'node:fs'
import { withPrivateFile } from '@sallyport/core/storage/safe-folder'
import { writeSmallFile } from '@sallyport/core/storage/small-file'
import type { Grant } from './grant.ts'

const FORMAT = 1

/** `damaged`: no list of ours. */
export type StoredChoices = readonly Grant[] | 'missing' | 'damaged'

/** Only what the reader relies on. A reader of the list of grants relies on no more. */
function isGrant(value: unknown): value is Grant {
  if (typeof value !== 'object' || value === null) return false
  const { id, platform, applicationId, userId, program, basis, presence } = value as Partial<Record<keyof Grant, unknown>>
  const isText = [id, platform, applicationId, userId, basis, presence].every((field) => typeof field === 'string')
  return isText && typeof program === 'object' && program !== null
}

function parsed(text: string): StoredChoices {
  try {
    const { format, choices } = JSON.parse(text) as { readonly format?: unknown; readonly choices?: unknown }
    return format === FORMAT && Array.isArray(choices) && choices.every(isGrant) ? choices : 'damaged'
  } catch {
    return 'damaged'
  }
}

/** The list of every platform. Throws SERVICE_UNAVAILABLE if the file is not private, and system errors. */
export const readChoices = (file: string): StoredChoices =>
  withPrivateFile(file, constants.O_RDONLY, (fd) => parsed(readFileSync(fd, 'utf8'))) ?? 'missing'

/** Returns once a list with something in it would survive a crash of the machine. Throws SERVICE_UNAVAILABLE. */
export function writeChoices(file: string, choices: readonly Grant[]): void {
  writeSmallFile(file, `${JSON.stringify({ format: FORMAT, choices })}\n`, choices.length === 0 ? 'process' : 'machine')
}
