/** The machine and versions of a measurement. */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release } from 'node:os'
import { type Ground, ROOT } from './contestants/contestants.ts'
import { nodeCpuMs } from './node-alone.ts'

export interface Circumstances {
  readonly date: string
  readonly commit: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly kernel: string
  /** Processes that wanted to run in the last minute when the bench began: more than its own make every figure worse. */
  readonly load: number
  /** CPU of `node -e 0`, in ms: how fast the machine is. */
  readonly nodeCpuMs: number
}

function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--', 'daemon', 'protocol') === '' ? '' : ' and changes')
  } catch {
    return 'unknown'
  }
}

export async function circumstances(ground: Ground): Promise<Circumstances> {
  const all = cpus()
  return {
    date: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    kernel: release(),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    nodeCpuMs: await nodeCpuMs(ground),
  }
}
