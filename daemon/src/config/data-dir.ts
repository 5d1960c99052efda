/** The private folder for tokens and state. */
import { BridgeError } from '@sallyport/core/errors'
import { openPrivateFolder } from '@sallyport/core/storage/safe-folder'
import { SettingsError } from './settings-error.ts'

/** Creates the folder if missing. Throws SettingsError if that fails or the folder is not private. */
export function ensureDataDir(directory: string): void {
  try {
    openPrivateFolder(directory)
  } catch (cause) {
    const { message } = cause as Error
    if (cause instanceof BridgeError) throw new SettingsError(`${message} (Or choose another --data-dir.)`, { cause })
    throw new SettingsError(`The data folder ${directory} cannot be created: ${message}. Choose another --data-dir.`, { cause })
  }
}
