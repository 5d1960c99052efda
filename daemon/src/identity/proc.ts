/** Access to /proc on Linux, as an interface that tests replace. Every method throws the system's error. */
import {
  type BigIntStats,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { isUntimed } from './file-identity.ts'

export interface Proc {
  readlink(path: string): string
  stat(path: string): BigIntStats
  /** Undefined when nothing is there. */
  statIfAny(path: string): BigIntStats | undefined
  /** Whether the file with these figures may change without its ctime. */
  isUntimed(path: string, stats: BigIntStats): boolean
  /** For small files. */
  read(path: string): string
  /** Names in a folder. */
  list(path: string): readonly string[]
  /** At most so many bytes from the beginning of a file, and at most 64 KiB. */
  head(path: string, bytes: number): Buffer
  /** The first 64 KiB of a file as text. */
  headText(path: string): string
  /** The first of these texts that is in the first 64 KiB of a file; undefined when none is. Makes no text of the file. */
  firstIn(path: string, texts: readonly Buffer[]): Buffer | undefined
  realpath(path: string): string
  /** Target of a link in our own /proc folder; cached, because it does not change. */
  own(link: string): string
  /** A file of our own /proc folder, cached like a link; empty when it cannot be read. */
  ownText(name: string): string
}

const ownLinks = new Map<string, string>()
const ownTexts = new Map<string, string>()
const HEAD_BYTES = 65_536
/** One for all reads: a new one for each connection would be more garbage than all else of it. */
const scratch = Buffer.allocUnsafeSlow(HEAD_BYTES)
/** O_NONBLOCK: a named pipe in place of the file must not block. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK

/** Reads from the beginning of a file into the scratch buffer, at most `bytes`. Returns how many. */
function readHead(path: string, bytes: number): number {
  const fd = openSync(path, READ)
  try {
    return readSync(fd, scratch, 0, bytes, 0)
  } finally {
    closeSync(fd)
  }
}

export const systemProc: Proc = {
  readlink: (path) => readlinkSync(path),
  stat: (path) => statSync(path, { bigint: true }),
  statIfAny: (path) => statSync(path, { bigint: true, throwIfNoEntry: false }),
  isUntimed,
  read: (path) => readFileSync(path, 'utf8'),
  list: (path) => readdirSync(path),
  head: (path, bytes) => Buffer.from(scratch.subarray(0, readHead(path, Math.min(bytes, HEAD_BYTES)))),
  headText: (path) => scratch.toString('utf8', 0, readHead(path, HEAD_BYTES)),
  firstIn(path, texts) {
    const head = scratch.subarray(0, readHead(path, HEAD_BYTES))
    return texts.find((text) => head.includes(text))
  },
  realpath: (path) => realpathSync.native(path),
  own(link) {
    const found = ownLinks.get(link) ?? readlinkSync(`/proc/self/${link}`)
    ownLinks.set(link, found)
    return found
  },
  ownText(name) {
    const found = ownTexts.get(name) ?? readOr('/proc/self', name, systemProc)
    ownTexts.set(name, found)
    return found
  },
}

function orElse<Found>(found: () => Found, otherwise: Found): Found {
  try {
    return found()
  } catch {
    return otherwise
  }
}

/** Empty when there is no such file, or it is not readable. */
export const readOr = (folder: string, name: string, proc: Pick<Proc, 'read'>): string => orElse(() => proc.read(`${folder}/${name}`), '')

/** Undefined when there is no such file, or its folder is not readable. */
export const statOr = (path: string, proc: Pick<Proc, 'stat'>): BigIntStats | undefined => orElse(() => proc.stat(path), undefined)

/** Empty when there is no such folder, or it is not readable. */
export const listOr = (folder: string, proc: Pick<Proc, 'list'>): readonly string[] => orElse(() => proc.list(folder), [])

/** A device as the kernel writes it in /proc: `MAJOR:MINOR`, in hexadecimal. */
export function deviceText(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn)
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n)
  return [major, minor].map((each) => each.toString(16).padStart(2, '0')).join(':')
}

/** A field of `/proc/PID/status`; undefined when it is missing. */
export const statusField = (status: string, name: string): string | undefined => new RegExp(`^${name}:\\t(\\S*)`, 'm').exec(status)?.[1]

/** Whether all user ids of a process are root's, by its `/proc/PID/status`. A program that root left to all users has another real one. */
export const isAllOfRoot = (status: string): boolean => /^Uid:\t0\t0\t0\t0$/m.test(status)

const START_TIME = 22
const AFTER_NAME = 3

/** A field of `/proc/PID/stat` by its number in proc(5). The name in parentheses may contain any character. */
export function statField(stat: string, field: number): string | undefined {
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .trimEnd()
    .split(' ')[field - AFTER_NAME]
}

/** Start time of a process, in ticks since boot. Together with the PID it identifies the process, because PIDs are reused. */
export const startTimeOf = (pid: number, proc: Proc): string | undefined => statField(proc.read(`/proc/${pid}/stat`), START_TIME)
