/** Makes folders for this user alone. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Makes a folder and the missing ones above it; leaves one that exists as it is. Throws what the system says.
 * Not `recursive: true`, which never returns where a folder exists and takes no new ones (/proc).
 */
export function makePrivateDirectory(directory: string): void {
  if (isDirectory(directory)) return
  const parent = dirname(directory)
  if (parent !== directory) makePrivateDirectory(parent)
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (failure) {
    // Somebody else may have made it meanwhile.
    if (!isDirectory(directory)) throw failure
  }
}
