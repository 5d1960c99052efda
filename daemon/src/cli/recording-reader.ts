/** Reads a recording frame by frame. A stranger may have written it, so no length in it decides how much memory it takes. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { LIMITS } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { InspectedFrame } from './frame-feed.ts'
import { FORMAT, type Header } from './recording.ts'

const CHUNK_BYTES = 65_536
/** A frame reaches `record` in a response, which is no larger than this. */
const LINE_BYTES = LIMITS.contractFrameBytes.value
/** What `record` writes has fewer levels. Deeper data would exhaust the stack of what compares it. */
const MAX_DEPTH = 128
const LINE_END = 0x0a
/** A pipe without a writer does not block. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const ADVICE = 'Name a file that sallyport record wrote.'

/** The lines without their ends, the empty ones left out. */
function* linesOf(fd: number, refuse: (why: string) => SettingsError): Generator<string> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let parts: Buffer[] = []
  let bytes = 0
  const taken = (): string => {
    const line = Buffer.concat(parts).toString('utf8')
    parts = []
    bytes = 0
    return line
  }
  for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk)) {
    for (let start = 0; start < count; ) {
      const end = chunk.subarray(0, count).indexOf(LINE_END, start)
      const part = chunk.subarray(start, end < 0 ? count : end)
      bytes += part.length
      if (bytes > LINE_BYTES) throw refuse(`a line has more than ${LINE_BYTES} bytes`)
      parts.push(Buffer.from(part))
      start += part.length + 1
      if (end < 0) continue
      const line = taken()
      if (line !== '') yield line
    }
  }
  const last = taken()
  if (last !== '') yield last
}

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false
    level = level.flatMap((one): unknown[] => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return true
}

function isFrame(line: unknown): line is InspectedFrame {
  if (typeof line !== 'object' || line === null) return false
  const { connection, direction, opcode } = line as Partial<InspectedFrame>
  return Number.isSafeInteger(connection) && (direction === 'in' || direction === 'out') && typeof opcode === 'string' && isShallow(line)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The frames of a recording, one at a time. Throws SettingsError for any other file, when it comes to what is wrong. */
export function* readRecording(path: string): Generator<InspectedFrame> {
  const refuse = (why: string) => new SettingsError(`Cannot read ${path} (${why}). ${ADVICE}`)
  let fd: number
  try {
    fd = openSync(path, OPEN_FLAGS)
  } catch (failure) {
    throw refuse((failure as Error).message)
  }
  try {
    // It is read twice: to list its calls, and to play them.
    if (!fstatSync(fd).isFile()) throw refuse('it is no regular file')
    const lines = linesOf(fd, refuse)
    const first = lines.next()
    const header = parsed(first.done === true ? '' : first.value) as Partial<Header> | null | undefined
    if (header?.recording !== FORMAT) throw new SettingsError(`${path} is not a recording of format ${FORMAT}. ${ADVICE}`)
    let number = 1
    for (const line of lines) {
      number++
      const frame = parsed(line)
      if (!isFrame(frame)) throw refuse(`frame ${number - 1} is not as sallyport record writes it`)
      yield frame
    }
  } finally {
    closeSync(fd)
  }
}
