/** Writes the file of a recording: JSON lines. The first describes the recording, each further one is a frame. */
import { closeSync, writeSync } from 'node:fs'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { VERSION } from '@sallyport/core/version'
import type { InspectedFrame } from './frame-feed.ts'
import { openNewFile } from './new-file.ts'

/** Of the lines. */
export const FORMAT = 1

export interface Header {
  readonly recording: number
  readonly application_id: string
  readonly version: string
  readonly contract: string
}

/** Creates a file that only this user can read. Throws SettingsError if it exists, or cannot be created. */
export function createRecording(path: string, applicationId: string) {
  const fd = openNewFile(path)
  const write = (line: object) => void writeSync(fd, `${JSON.stringify(line)}\n`)
  write({ recording: FORMAT, application_id: applicationId, version: VERSION, contract: CONTRACT_VERSION } satisfies Header)
  return { add: (frame: InspectedFrame) => write(frame), close: () => closeSync(fd) }
}
