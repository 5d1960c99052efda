/** Writes the file of a recording: JSON lines. The first describes the recording, each further one is a frame. */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { SAFE_OPEN_FLAGS } from '@sallyport/core/storage/safe-folder'
import { VERSION } from '@sallyport/core/version'
import { SettingsError } from '../config/settings-error.ts'
import type { InspectedFrame } from './frame-feed.ts'

/** Of the lines. */
export const FORMAT = 1
const PRIVATE_MODE = 0o600

export interface Header {
  readonly recording: number
  readonly application_id: string
  readonly version: string
  readonly contract: string
}

/** Creates a file that only this user can read. Throws SettingsError if it exists, or cannot be created. */
export function createRecording(path: string, applicationId: string) {
  let fd: number
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | SAFE_OPEN_FLAGS, PRIVATE_MODE)
  } catch (failure) {
    throw new SettingsError(`Cannot create ${path} (${(failure as Error).message}). Name a new file in a folder of yours.`)
  }
  const write = (line: object) => void writeSync(fd, `${JSON.stringify(line)}\n`)
  write({ recording: FORMAT, application_id: applicationId, version: VERSION, contract: CONTRACT_VERSION } satisfies Header)
  return { add: (frame: InspectedFrame) => write(frame), close: () => closeSync(fd) }
}
