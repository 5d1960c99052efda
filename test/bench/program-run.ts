/** One run of a program that ends by itself: its wall time and the CPU that the kernel charged it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

const RUSAGE_CHILDREN = -1
const RUSAGE_BYTES = 144
const US_PER_S = 1e6
const US_PER_MS = 1000

const { functions: libc } = process.getBuiltinModule('node:ffi').dlopen(null, {
  getrusage: { arguments: ['int32', 'buffer'], return: 'int32' },
})
const usage = Buffer.alloc(RUSAGE_BYTES)

/** CPU of all children that ended so far, in µs: two `timeval`s, of user and system. */
function childrenMicroseconds(): number {
  if (libc.getrusage(RUSAGE_CHILDREN, usage) !== 0) throw new Error('getrusage failed')
  const at = (offset: number): number => Number(usage.readBigInt64LE(offset)) * US_PER_S + Number(usage.readBigInt64LE(offset + 8))
  return at(0) + at(16)
}

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** Rejects when it does not end with 0. No other child may end meanwhile. */
export async function costOf({ command, args, env, cwd }: Command): Promise<Cost> {
  const cpuBefore = childrenMicroseconds()
  const from = performance.now()
  const child = spawn(command, args, { env, cwd, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  const wallMs = performance.now() - from
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
  return { wallMs, cpuMs: (childrenMicroseconds() - cpuBefore) / US_PER_MS }
}
