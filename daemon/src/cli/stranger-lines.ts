/** Reads a file of JSON lines. A stranger may have written it, so no length in it decides how much memory it takes. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { LIMITS } from '@sallyport/protocol'
import type { SettingsError } from '../config/settings-error.ts'

const CHUNK_BYTES = 65_536
/** Frames and traces reach a command in a response, which is no larger than this. */
const LINE_BYTES = LIMITS.contractFrameBytes.value
/** What the daemon writes has fewer levels. Deeper data would exhaust the stack of what compares it. */
const MAX_DEPTH = 128
const LINE_END = 0x0a
/** A pipe without a writer does not block. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

export type Refuse = (why: string) => SettingsError

/** The lines without their ends, the empty ones left out. */
function* linesOf(fd: number, refuse: Refuse): Generator<string> {
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

/** A JSON value of not too many levels; undefined for any other text. */
export function shallowValue(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    return isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The lines of a regular file. Throws what `refuse` makes when it cannot be read. */
export function* strangerLines(path: string, refuse: Refuse): Generator<string> {
  let fd: number
  try {
    fd = openSync(path, OPEN_FLAGS)
  } catch (failure) {
    throw refuse((failure as Error).message)
  }
  try {
    // It may be read twice: to list its calls, and to play them.
    if (!fstatSync(fd).isFile()) throw refuse('it is no regular file')
    yield* linesOf(fd, refuse)
  } finally {
    closeSync(fd)
  }
}
