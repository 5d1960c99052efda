/** Tells the command line of the same user where the running dashboard is, token included: a file for this user alone, gone with the daemon. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readSmallText, writeSmallFile } from '@sallyport/core/storage/small-file'

export const addressFile = (dataDir: string): string => join(dataDir, 'dashboard.address')

/** What a dead daemon left is replaced. Throws what the system says. */
export const writeAddress = (dataDir: string, url: string): void => writeSmallFile(addressFile(dataDir), url)

export const removeAddress = (dataDir: string): void => rmSync(addressFile(dataDir), { force: true })

/** Undefined when no dashboard ran here, or it ended well. */
export function readAddress(dataDir: string): URL | undefined {
  const text = readSmallText(addressFile(dataDir))
  return text === undefined ? undefined : (URL.parse(text) ?? undefined)
}
