/** The file of a recording: JSON lines. The first describes the recording, each further one is a frame. */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { SAFE_OPEN_FLAGS } from '@sallyport/core/storage/safe-folder'
import { VERSION } from '@sallyport/core/version'
import { SettingsError } from '../config/settings-error.ts'
import type { InspectedFrame } from './frame-feed.ts'

const FORMAT = 1
const PRIVATE_MODE = 0o600

interface Header {
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

function isFrame(line: unknown): line is InspectedFrame {
  if (typeof line !== 'object' || line === null) return false
  const { connection, direction, opcode } = line as Partial<InspectedFrame>
  return typeof connection === 'number' && (direction === 'in' || direction === 'out') && typeof opcode === 'string'
}

/** The frames of a recording. Throws SettingsError for any other file. */
export function readRecording(path: string): readonly InspectedFrame[] {
  let lines: unknown[]
  try {
    lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown)
  } catch (failure) {
    throw new SettingsError(`Cannot read ${path} (${(failure as Error).message}). Name a file that sallyport record wrote.`)
  }
  const [header, ...frames] = lines
  if ((header as Partial<Header> | undefined)?.recording !== FORMAT || !frames.every(isFrame))
    throw new SettingsError(`${path} is not a recording of format ${FORMAT}. Name a file that sallyport record wrote.`)
  return frames
}
