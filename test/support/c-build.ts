/** Builds the C binding and programs of it: with every warning, with sanitizers, or small. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const BINDING = resolve(import.meta.dirname, '../../bindings/c')
/** Every compiler and every warning that the binding supports. */
export const WARNINGS = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic', '-Wconversion']
export const INCLUDES = [`-I${join(BINDING, 'include')}`, `-I${join(BINDING, 'generated')}`]

export const sources = (): readonly string[] =>
  readdirSync(join(BINDING, 'src'))
    .filter((name) => name.endsWith('.c'))
    .map((name) => join(BINDING, 'src', name))

/** Whether a program can be started here. */
export const isInstalled = (program: string, version = '--version'): Promise<boolean> =>
  run(program, [version]).then(
    () => true,
    () => false,
  )

/** Compiles every source of the binding, and of the examples and tests if named, into nothing. Throws with the messages of the compiler. */
export async function compileAll(compiler: string, folder: string, more: readonly string[] = []): Promise<void> {
  await mkdir(folder, { recursive: true })
  const files = [...sources(), ...more.map((name) => join(BINDING, name))]
  await run(compiler, [...WARNINGS, ...INCLUDES, '-c', ...files], { cwd: folder })
}

/** A compiler and what it makes. */
export interface Tools {
  readonly compiler: string
  readonly flags: readonly string[]
}

export const SANITIZED: Tools = { compiler: 'gcc', flags: ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'] }
export const OPTIMIZED: Tools = { compiler: 'gcc', flags: ['-g', '-O2'] }

/** Compiles the library into objects in the folder; resolves with their paths. */
export async function compileSources(objects: string, { compiler, flags }: Tools = SANITIZED): Promise<readonly string[]> {
  await rm(objects, { recursive: true, force: true })
  await mkdir(objects, { recursive: true })
  await run(compiler, [...WARNINGS, ...flags, ...INCLUDES, '-c', ...sources()], { cwd: objects })
  return readdirSync(objects).map((name) => join(objects, name))
}

/** Builds programs of the binding into the folder, by default with the sanitizers. The sources are compiled once for all of them. */
export async function buildPrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
  { compiler, flags }: Tools = SANITIZED,
): Promise<void> {
  const built = await compileSources(join(folder, 'objects'), { compiler, flags })
  await Promise.all(
    Object.entries(programs).map(([name, source]) =>
      run(compiler, [...WARNINGS, ...flags, ...INCLUDES, join(BINDING, source), ...built, '-lm', '-o', join(folder, name)]),
    ),
  )
}
