/** The folder for tokens and state: made when it is missing, for this user alone. */
import { BridgeError } from '@sallyport/core/errors'
import { openPrivateFolder } from '@sallyport/core/storage/safe-folder'
import { SettingsError } from './settings-error.ts'

/** Throws SettingsError when it cannot be had, or others may use the one that exists. */
export function ensureDataDir(directory: string): void {
  try {
    openPrivateFolder(directory)
  } catch (cause) {
    const { message } = cause as Error
    if (cause instanceof BridgeError) throw new SettingsError(`${message} (Or choose another --data-dir.)`, { cause })
    throw new SettingsError(`The data folder ${directory} cannot be made: ${message}. Choose another --data-dir.`, { cause })
  }
}
