/** The folder for tokens and state: made when it is missing, for this user alone. */
import { makePrivateDirectory } from '../storage/private-directory.ts'
import { SettingsError } from './settings-error.ts'

/** An existing folder is left as it is. Throws SettingsError when it cannot be had. */
export function ensureDataDir(directory: string): void {
  try {
    makePrivateDirectory(directory)
  } catch (cause) {
    throw new SettingsError(`The data folder ${directory} cannot be made: ${(cause as Error).message}. Choose another --data-dir.`, {
      cause,
    })
  }
}
