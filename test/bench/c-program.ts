/** Programs in C of the bench, each compiled once for a run. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Ground } from './contestants/contestants.ts'

const CONTESTANTS = join(import.meta.dirname, 'contestants')
const made = new Map<string, string>()

/** The path of the program. Throws without a C compiler. */
export function cProgram(ground: Ground, name: 'native-games' | 'process-counter'): string {
  const known = made.get(name)
  if (known !== undefined) return known
  const program = join(ground.folder(), name)
  execFileSync('cc', ['-O2', join(CONTESTANTS, `${name}.c`), '-o', program])
  made.set(name, program)
  return program
}
