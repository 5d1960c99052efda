/**
 * The points of a scenario: every call on a data file that can fail, as strace lists them, and the words with which strace then fails one of them.
 * strace counts the calls of each thread and each name for itself.
 */
import { join, relative } from 'node:path'

/** What writes, and what opens. */
export const CALLS = [
  'openat',
  'write',
  'writev',
  'pwrite64',
  'pwritev',
  'fsync',
  'fdatasync',
  'ftruncate',
  'rename',
  'renameat2',
  'link',
  'unlink',
  'unlinkat',
  'mkdir',
] as const
type Call = (typeof CALLS)[number]

export interface Point {
  readonly call: Call
  /** From the data folder; `.` is the folder itself. */
  readonly path: string
  /** The main thread is 0. */
  readonly thread: number
  /** Which of the calls of this name on this path and thread it is, from 1. */
  readonly onPath: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** How a point fails: the error once, the error from there on, the end of the process. */
export const WAYS = ['EIO once', 'EIO for good', 'ENOSPC once', 'ENOSPC for good', 'SIGKILL'] as const
export type Way = (typeof WAYS)[number]

/** `12498 1795976022.578622 openat(AT_FDCWD</home>, "/data/choices.json.new", O_WRONLY…`, or `write(33</data/choices.json.new>, …`. */
const LINE = /^(\d+) +(\d+\.\d+) (\w+)\((?:AT_FDCWD(?:<[^>]*>)?, |\d+<([^>]*)>)?(?:"([^"]*)")?/
const SECOND_MS = 1000

const isCall = (name: string): name is Call => (CALLS as readonly string[]).includes(name)

/** The log is left out: how many writes it takes depends on the time, and a line that cannot be written is lost on purpose. */
const isData = (path: string): boolean => !path.startsWith('..') && !path.startsWith('log')

/** Every point in the list that strace printed, in their order. */
export function pointsOf(trace: string, folder: string): readonly Point[] {
  const threads: string[] = []
  const onPath = new Map<string, number>()
  return trace.split('\n').flatMap((line): readonly Point[] => {
    const [, tid = '', seconds = '', call = '', ofDescriptor, ofWord] = LINE.exec(line) ?? []
    const file = ofDescriptor ?? ofWord
    if (file === undefined || !isCall(call)) return []
    const path = relative(folder, file) || '.'
    if (!isData(path)) return []
    if (!threads.includes(tid)) threads.push(tid)
    const thread = threads.indexOf(tid)
    const place = `${thread} ${call} ${path}`
    onPath.set(place, (onPath.get(place) ?? 0) + 1)
    return [{ call, path, thread, onPath: onPath.get(place) ?? 1, at: Number(seconds) * SECOND_MS }]
  })
}

/** Only calls of the list stop the daemon. */
export const SECCOMP = ['--seccomp-bpf'] as const

const pathsOf = (points: readonly Point[]): readonly string[] => [...new Set(points.map(({ path }) => path))]

/**
 * From the point on, for good. No thread may fail before it, so one that made fewer calls of a name fails somewhat later. Where another thread made
 * more calls of the name of the point, only the files of its own thread fail.
 */
function forGood(point: Point, error: string, points: readonly Point[], folder: string): readonly string[] {
  const earlier = points.slice(0, points.indexOf(point))
  const threads = [...new Set(points.map(({ thread }) => thread))]
  const all = pathsOf(points)
  const countOf = (thread: number, name: Call, paths: readonly string[]): number =>
    earlier.filter((one) => one.thread === thread && one.call === name && paths.includes(one.path)).length
  const own = countOf(point.thread, point.call, all)
  const isBehind = threads.some((thread) => countOf(thread, point.call, all) > own)
  const paths = isBehind ? pathsOf(points.filter(({ thread }) => thread === point.thread)) : all
  const rules = CALLS.flatMap((name) => {
    const first = Math.max(...threads.map((thread) => countOf(thread, name, paths))) + 1
    return ['-e', `inject=${name}:error=${error}:when=${first}+`]
  })
  return [...SECCOMP, ...paths.flatMap((path) => ['-P', join(folder, path)]), ...rules]
}

/** The words of strace that make the point fail in this way. `points`: all of the run, also those before the scenario. */
export function wordsFor(point: Point, way: Way, points: readonly Point[], folder: string): readonly string[] {
  const [fault = '', ...duration] = way.split(' ')
  if (duration.join(' ') === 'for good') return forGood(point, fault, points, folder)
  const isKill = fault === 'SIGKILL'
  const effect = isKill ? 'signal=KILL' : `error=${fault}`
  // strace 6.1 sends no signal at a call that a seccomp filter found.
  return [...(isKill ? [] : SECCOMP), '-P', join(folder, point.path), '-e', `inject=${point.call}:${effect}:when=${point.onPath}`]
}

export const shownPoint = ({ call, path, onPath }: Point): string => `${call} ${path} #${onPath}`
