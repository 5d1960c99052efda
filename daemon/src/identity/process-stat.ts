/** `/proc/PID/stat`: parents, sessions and terminals of processes. Pure. */
import { statField } from './proc.ts'

/** The used fields of `/proc/PID/stat`. */
export interface ProcessStat {
  /** Of the program file, at most 15 characters. The process can change it. */
  readonly name: string
  readonly parent: number
  readonly group: number
  /** Session leader. */
  readonly session: number
  /** Device number of the controlling terminal; 0 without one. */
  readonly terminal: number
  /** Foreground process group of the terminal; -1 without a terminal. */
  readonly foreground: number
  /** In clock ticks since boot. Unique per process id. */
  readonly startedAt: string
}

/** Field numbers of proc(5). */
const PARENT = 4
const GROUP = 5
const SESSION = 6
const TERMINAL = 7
const FOREGROUND = 8
const STARTED_AT = 22

/** Undefined for text in another format. */
export function parseStat(text: string): ProcessStat | undefined {
  const startedAt = statField(text, STARTED_AT)
  const [parent, group, session, terminal, foreground] = [PARENT, GROUP, SESSION, TERMINAL, FOREGROUND].map((at) =>
    Number(statField(text, at)),
  )
  const isWhole = [parent, group, session, terminal, foreground].every(Number.isSafeInteger)
  if (!text.includes(')') || !isWhole || startedAt === undefined || !/^\d+$/.test(startedAt)) return undefined
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
  return { name, parent, group, session, terminal, foreground, startedAt } as ProcessStat
}

/** Whether the process is in the foreground of a terminal, so that a user controls it. */
export const isAtTerminal = ({ terminal, group, foreground }: ProcessStat): boolean => terminal !== 0 && group === foreground
