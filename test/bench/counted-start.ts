/** A server that is started so that all processes which it starts are counted. It is slower, so its times do not count. */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cProgram } from './c-program.ts'
import { type Contestant, type Ground, LAUNCHES, type ServerName, type StartOptions } from './contestants/contestants.ts'

export interface Counted {
  readonly server: Contestant
  /** How many processes it and its own have started so far. */
  readonly processes: () => number
}

/** The counter, after it has counted a program that starts one process. Throws where the system does not let it watch programs. */
function provenCounter(ground: Ground): string {
  const counter = cProgram(ground, 'process-counter')
  const file = join(ground.folder(), 'processes')
  spawnSync(counter, [file, '/bin/sh', '-c', '(exit 0) & wait'])
  const counted = statSync(file, { throwIfNoEntry: false })?.size
  if (counted !== 1)
    throw new Error(`The process counter counted ${counted ?? 'nothing'} in place of 1. Allow ptrace, then run this row again.`)
  return counter
}

/** Starts it in a folder of `folder`. */
export async function startCounted(ground: Ground, name: ServerName, directory: string, options: StartOptions = {}): Promise<Counted> {
  const file = join(directory, 'processes')
  const launch = LAUNCHES[name](directory, options)
  const args = [file, launch.program, ...launch.args]
  const counter = await ground.launch(name, directory, { ...launch, program: provenCounter(ground), args })
  const [pid] = readFileSync(`/proc/${counter.pid}/task/${counter.pid}/children`, 'utf8').split(' ')
  return { server: { ...counter, pid: Number(pid) }, processes: () => statSync(file).size }
}
