/** What Linux tells of a process in its folder under /proc: the port, so that tests can say what stands there. Each throws what the system says. */
import { type BigIntStats, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'

export interface Proc {
  readlink(path: string): string
  stat(path: string): BigIntStats
  /** At most what a command line or a small file holds. */
  read(path: string): string
  realpath(path: string): string
  /** Where a link in our own folder leads; it stays the same for as long as we run. */
  own(link: string): string
}

const ownLinks = new Map<string, string>()

export const systemProc: Proc = {
  readlink: (path) => readlinkSync(path),
  stat: (path) => statSync(path, { bigint: true }),
  read: (path) => readFileSync(path, 'utf8'),
  realpath: (path) => realpathSync.native(path),
  own(link) {
    const found = ownLinks.get(link) ?? readlinkSync(`/proc/self/${link}`)
    ownLinks.set(link, found)
    return found
  },
}

const START_TIME = 22
const AFTER_NAME = 3

/** Fields of `/proc/PID/stat` by the numbers that proc(5) gives them. The name in parentheses may hold anything. */
export function statField(stat: string, field: number): string | undefined {
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .trimEnd()
    .split(' ')[field - AFTER_NAME]
}

/** When a process began, in ticks since the machine started: with the PID it names the process, since a PID is used again. */
export const startTimeOf = (pid: number, proc: Proc): string | undefined => statField(proc.read(`/proc/${pid}/stat`), START_TIME)
