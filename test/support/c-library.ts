/** The shared C library as a game ships it, at its smallest, and what is in it. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { INCLUDES, sources } from './c-build.ts'

const run = promisify(execFile)
const FLAGS = ['-std=c99', '-Os', '-fPIC', '-shared', '-fvisibility=hidden', '-DSALLYPORT_SHARED', '-DSALLYPORT_BUILDING']

/** Everything at -Os, and other sources if named. Returns the path of the library. */
export async function buildShared(folder: string, more: readonly string[] = []): Promise<string> {
  await mkdir(folder, { recursive: true })
  const library = join(folder, 'libsallyport.so')
  await run('gcc', [...FLAGS, ...INCLUDES, ...sources(), ...more, '-o', library])
  return library
}

/** Bytes of code and constants, as `size` counts them. */
export async function textBytes(library: string): Promise<number> {
  const { stdout } = await run('size', [library])
  return Number(stdout.split('\n')[1]?.trim().split(/\s+/)[0])
}

/** Names that a program can link, without versions. */
export async function exportedNames(library: string): Promise<readonly string[]> {
  const { stdout } = await run('nm', ['-D', '--defined-only', library])
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
    // A version is a symbol of its own kind.
    .filter(([, kind]) => kind !== 'A')
  return names.map(([, , name = '']) => name.split('@')[0] ?? '')
}
