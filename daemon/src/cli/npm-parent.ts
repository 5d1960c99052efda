/**
 * Stops this process when the npm that runs it ends alone, as by a kill. `npm start` and `npx` stay above their program, with a shell in between,
 * and none of them can be replaced. Only Linux has what this reads; elsewhere the program goes on.
 */
import { readFileSync } from 'node:fs'
import type { Clock } from '@sallyport/core/clock'
import { parseStat, type ProcessStat } from '../identity/process-stat.ts'

type ReadProcess = (pid: number) => ProcessStat | undefined

function readProcess(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined // It has ended, or this is another system.
  }
}

/** The program, what is between, npm. */
type Chain = readonly { readonly pid: number; readonly parent: number; readonly startedAt: string }[]

/** npm, a shell, a launcher, the program. */
const MOST = 4
const isNpm = ({ name }: ProcessStat): boolean => /^npm(?: |$)/.test(name)
const LOOK_MS = 250

/** The processes from this one up to npm; undefined if npm is not above it. */
export function npmAbove(pid: number, read: ReadProcess = readProcess): Chain | undefined {
  const chain: Chain[number][] = []
  for (let at = pid; chain.length < MOST; ) {
    const stat = read(at)
    if (stat === undefined) return undefined
    chain.push({ pid: at, parent: stat.parent, startedAt: stat.startedAt })
    if (chain.length > 1 && isNpm(stat)) return chain
    at = stat.parent
  }
  return undefined
}

/**
 * Calls `onEnd` once npm has ended, if what is between still runs it. Otherwise a script left its program in the background on purpose, and npm
 * ended after that script.
 */
export function watchNpm(chain: Chain, clock: Pick<Clock, 'after'>, onEnd: () => void, read: ReadProcess = readProcess): void {
  const [npm, ...below] = chain.toReversed()
  if (npm === undefined) return
  const isThere = ({ pid, startedAt }: Chain[number]): boolean => read(pid)?.startedAt === startedAt
  // The parent of the one below npm changes with npm.
  const isAttached = (): boolean => below.slice(1).every(({ pid, parent }) => read(pid)?.parent === parent)
  const look = (): void => {
    if (isThere(npm)) clock.after(LOOK_MS, look)
    else if (isAttached()) onEnd()
  }
  look()
}
