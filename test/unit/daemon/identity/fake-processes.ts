/** A machine with processes that a test names. */
import type { ProcessReader } from '#daemon/src/identity/ancestors.ts'
import type { Program } from '#daemon/src/identity/program.ts'

/** `undefined`: it cannot be read. `root`: it cannot be read, and is root's. */
export interface FakeProcess {
  readonly runs?: Program | 'root' | undefined
  /** The name that it has itself. */
  readonly name?: string
  readonly parent: number
  /** Session leader; by default there is no terminal. */
  readonly session?: number
  /** In the foreground of the terminal of its session. */
  readonly isInFront?: boolean
  readonly startedAt?: number
}

export const OUR_SCRIPT = '/opt/sallyport/dist/sallyport.cjs'

const file = (executable: string): Program => ({ kind: 'native', uid: 1000, executable, file: `1:${executable.length}:3:4:5` })
export const native = file
export const script = (executable: string, interpreter = '/usr/bin/python3.13'): Program => ({
  ...file(executable),
  kind: 'script',
  interpreter: { executable: interpreter, file: '9:9:9:9:9' },
})
/** An interpreter that names no file: `sh -c`, `python -c`, an interactive shell. */
export const inline = (executable: string): Program => ({ kind: 'unknown', uid: 1000, executable, file: undefined })

function statText(pid: number, { name = 'x', parent, session = 9, isInFront = false, startedAt = pid * 10 }: FakeProcess): string {
  const terminal = isInFront ? `34816 ${pid}` : '0 -1'
  return `${pid} (${name}) S ${parent} ${pid} ${session} ${terminal} ${'0 '.repeat(13)}${startedAt} 0\n`
}

/** Files below /usr are root's. */
export const machine = (processes: Readonly<Record<number, FakeProcess>>): ProcessReader => ({
  stat(pid) {
    const found = processes[pid]
    if (found === undefined) throw new Error(`ENOENT: no process ${pid}`)
    return statText(pid, found)
  },
  program(pid) {
    const runs = processes[pid]?.runs
    return typeof runs === 'object' ? runs : { kind: 'unknown', uid: undefined, executable: undefined, file: undefined }
  },
  isOfRoot: (pid) => processes[pid]?.runs === 'root',
  isTrusted: (path) => path.startsWith('/usr/') || path === OUR_SCRIPT,
  isOurs: (path) => path === OUR_SCRIPT,
})

const FIRST = 100

/** Processes, each a child of the next one; the last one is a child of the first process of the machine. The first one has id 100. */
export const chain = (...processes: readonly Partial<FakeProcess>[]): ProcessReader =>
  machine(
    Object.fromEntries(
      processes.map((one, at) => [FIRST + at, { parent: at + 1 < processes.length ? FIRST + at + 1 : 1, ...one }] as const),
    ),
  )
