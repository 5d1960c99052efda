/** A private file with the address and token of the running dashboard, for the command line of the same user. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readSmallText, writeSmallFile } from '@sallyport/core/storage/small-file'

export const addressFile = (dataDir: string): string => join(dataDir, 'dashboard.address')

/** Replaces the file of a daemon that crashed. Throws system errors. */
export const writeAddress = (dataDir: string, url: string): void => writeSmallFile(addressFile(dataDir), url)

export const removeAddress = (dataDir: string): void => rmSync(addressFile(dataDir), { force: true })

/** Undefined when no dashboard ran, or it stopped normally. */
export function readAddress(dataDir: string): URL | undefined {
  const text = readSmallText(addressFile(dataDir))
  return text === undefined ? undefined : (URL.parse(text) ?? undefined)
}
