/** Whether strace works here: it may be absent, and a container may refuse ptrace. */
import { spawnSync } from 'node:child_process'
import { STRACE } from './daemon.ts'

/** Why not; undefined if it does. */
export function missingForStrace(): string | undefined {
  const { status } = spawnSync(STRACE, [
    '-f',
    '--seccomp-bpf',
    '-o',
    '/dev/null',
    '-e',
    'trace=openat',
    '--',
    process.execPath,
    '--version',
  ])
  return status === 0 ? undefined : 'faults of the disk need strace, and the right to trace a program (Debian: strace)'
}
