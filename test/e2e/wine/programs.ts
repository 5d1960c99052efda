/** What the tests under Wine run: bundles for node.exe, and programs in C that mingw compiles. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundle } from '../../../daemon/packaging/bundle.ts'
import { BINDING, isInstalled, sources, WARNINGS } from '../../support/c-build.ts'
import type { Running, Wine, WinePlace } from './wine.ts'

const READY_POLL_MS = 50

/** What a program printed, one value a line. */
export const linesOf = (text: string): readonly object[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object)

export interface DaemonLine {
  readonly event: 'ready' | 'failed' | 'presence'
  readonly addresses?: readonly string[]
  readonly failure?: string
  readonly application?: string
  readonly details?: string | null
}

export async function bundled(name: string, wine: Wine): Promise<string> {
  const file = `${name}.cjs`
  const target = `node${wine.nodeVersion.split('.')[0]}`
  await bundle({ entry: join(import.meta.dirname, `${name}.ts`), folder: wine.outputs, target, parts: [{ name, file, entries: [] }] })
  return join(wine.outputs, file)
}

/** Waits until the daemon has said where it listens. */
export async function readyLine(daemon: Running): Promise<DaemonLine> {
  const over = daemon.ended.then(() => true)
  for (;;) {
    const [first] = linesOf(daemon.output()) as readonly DaemonLine[]
    if (first !== undefined) return first
    const ended = await Promise.race([over, new Promise<false>((tick) => setTimeout(tick, READY_POLL_MS, false))])
    if (ended) throw new Error(`the daemon ended before it listened: ${daemon.output()}`)
  }
}

export const NO_COMPILER = 'There is no mingw compiler to build the C client with; install gcc-mingw-w64-x86-64.'

/** Compiles a program for Windows; undefined without the compiler. */
async function compile(wine: WinePlace, name: string, words: readonly string[]): Promise<string | undefined> {
  const program = join(wine.outputs, `${name}.exe`)
  const compiler = 'x86_64-w64-mingw32-gcc'
  if (!(await isInstalled(compiler))) return undefined
  await promisify(execFile)(compiler, ['-O2', '-s', ...words, '-o', program])
  return program
}

/** A client that no Node is in. */
export const compiled = (wine: WinePlace, name: string): Promise<string | undefined> =>
  compile(wine, name, ['-Wall', join(import.meta.dirname, `${name}.c`)])

/** A program with the C binding, whose source is below the binding. */
export const compiledBinding = (wine: WinePlace, name: string, source: string): Promise<string | undefined> => {
  const files = [...sources(), join(BINDING, source)]
  return compile(wine, name, [...WARNINGS, `-I${join(BINDING, 'include')}`, ...files, '-lbcrypt', '-ladvapi32'])
}
