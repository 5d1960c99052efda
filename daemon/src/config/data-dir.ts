/** The folder for tokens and state: made when it is missing, for this user alone. */
import { mkdirSync } from 'node:fs'
import { SettingsError } from './settings-error.ts'

/** An existing folder is left as it is. Throws SettingsError when it cannot be had. */
export function ensureDataDir(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new SettingsError(`The data folder ${directory} cannot be made: ${(cause as Error).message}. Choose another --data-dir.`, {
      cause,
    })
  }
}
