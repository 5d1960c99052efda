/** The private folder for tokens and state. */
import { BridgeError } from '@sallyport/core/errors'
import { openFolderFormat } from '@sallyport/core/storage/folder-format'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import { openPrivateFolder } from '@sallyport/core/storage/safe-folder'
import { SettingsError } from './settings-error.ts'

/**
 * Creates the folder if missing, and migrates it to the format of this version. Throws SettingsError if that fails or the folder is not
 * private, and NewerDataError if a newer version has migrated it.
 */
export function ensureDataDir(directory: string): void {
  try {
    openPrivateFolder(directory)
    openFolderFormat(directory)
  } catch (cause) {
    if (cause instanceof NewerDataError) throw cause
    const { message } = cause as Error
    if (cause instanceof BridgeError) throw new SettingsError(`${message} (Or choose another --data-dir.)`, { cause })
    throw new SettingsError(`The data folder ${directory} cannot be created: ${message}. Choose another --data-dir.`, { cause })
  }
}
