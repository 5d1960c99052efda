/** A command line that a user types: what it prints, and when. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment } from '../e2e/support/daemon.ts'

export interface Line {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
}

export interface Typed {
  readonly at: number
  readonly text: string
  readonly code: number | null
  readonly lines: readonly Line[]
  readonly ms: number
}

/** Runs it to its end. `by`: the words that bring it into the machine and to its user. */
export async function type(by: readonly [string, ...string[]], text: string): Promise<Typed> {
  const [program, ...words] = by
  const at = Date.now()
  const child = spawn(program, [...words, 'sh', '-c', text], { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: Line[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push({ at: Date.now(), text: line }))
  const code = await ended(child)
  return { at, text, code, lines, ms: Date.now() - at }
}
