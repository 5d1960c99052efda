/** Reads a recording frame by frame. */
import { SettingsError } from '../config/settings-error.ts'
import type { InspectedFrame } from './frame-feed.ts'
import { FORMAT, type Header } from './recording.ts'
import { type Refuse, shallowValue, strangerLines } from './stranger-lines.ts'

const ADVICE = 'Name a file that sallyport record wrote.'

function isFrame(line: unknown): line is InspectedFrame {
  if (typeof line !== 'object' || line === null) return false
  const { connection, direction, opcode } = line as Partial<InspectedFrame>
  return Number.isSafeInteger(connection) && (direction === 'in' || direction === 'out') && typeof opcode === 'string'
}

/** The frames of a recording, one at a time. Throws SettingsError for any other file, when it comes to what is wrong. */
export function* readRecording(path: string): Generator<InspectedFrame> {
  const refuse: Refuse = (why) => new SettingsError(`Cannot read ${path} (${why}). ${ADVICE}`)
  const isHeader = (value: unknown): boolean => (value as Partial<Header> | null | undefined)?.recording === FORMAT
  const other = new SettingsError(`${path} is not a recording of format ${FORMAT}. ${ADVICE}`)
  /** Undefined before the header. */
  let frames: number | undefined
  for (const line of strangerLines(path, refuse)) {
    const value = shallowValue(line)
    if (frames === undefined) {
      if (!isHeader(value)) throw other
      frames = 0
      continue
    }
    frames++
    if (!isFrame(value)) throw refuse(`frame ${frames} is not as sallyport record writes it`)
    yield value
  }
  if (frames === undefined) throw other
}
