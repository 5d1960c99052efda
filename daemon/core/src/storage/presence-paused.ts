/** Remembers in the data folder that the user paused presence, because a bridge that starts again must not show what the user hid. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeSmallFile, writeSmallFile } from './small-file.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'presence.paused')

export const isPresencePaused = (dataDir: string): boolean => existsSync(fileIn(dataDir))

/** Throws SERVICE_UNAVAILABLE. */
export function rememberPresencePaused(dataDir: string, isPaused: boolean): void {
  if (isPaused) writeSmallFile(fileIn(dataDir), '')
  else removeSmallFile(fileIn(dataDir))
}
