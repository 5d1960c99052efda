/** Builds programs of the C++ binding: with every warning, with sanitizers, or fast. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { compileSources, INCLUDES, SANITIZED, type Tools } from './c-build.ts'

const run = promisify(execFile)

export const CPP_BINDING = resolve(import.meta.dirname, '../../bindings/cpp')
/** Every warning that the binding supports. */
export const CPP_WARNINGS = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-pedantic', '-Wconversion']
export const CPP_INCLUDES = [`-I${join(CPP_BINDING, 'include')}`, `-I${join(CPP_BINDING, 'generated')}`, ...INCLUDES]

const CACHE = resolve(CPP_BINDING, '../../.cache')
/** Programs under sanitizers take minutes on a busy machine. */
export const COMPILE_MS = 600_000
/** Not optimized, because the compiler then takes minutes. */
const CPP_SANITIZED = [...SANITIZED.flags, '-O0', '-g1']

/** The sources of the library. */
export const cppSources = (): readonly string[] =>
  readdirSync(join(CPP_BINDING, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => join(CPP_BINDING, 'src', name))

/** What the objects are made of: the sources, the headers and the flags. */
function objectsName(flags: readonly string[]): string {
  const hash = createHash('sha256').update(flags.join(' '))
  const folders = [join(CPP_BINDING, 'src'), ...CPP_INCLUDES.map((flag) => flag.slice('-I'.length))]
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
      if (/\.[ch](?:pp)?$/.test(name)) hash.update(name).update(readFileSync(join(folder, name)))
  return `cpp-${hash.digest('hex').slice(0, 16)}`
}

/**
 * Compiles both libraries; resolves with the paths of the objects. Those of C++ are kept for the next file of tests, because they take a
 * minute.
 */
export async function compileCppSources(folder: string, tools: Tools = SANITIZED): Promise<readonly string[]> {
  const flags = tools === SANITIZED ? CPP_SANITIZED : tools.flags
  const kept = join(CACHE, objectsName(flags))
  if (!existsSync(kept)) {
    await mkdir(CACHE, { recursive: true })
    const made = await mkdtemp(join(CACHE, 'cpp-made-'))
    const files = cppSources()
    const half = Math.ceil(files.length / 2)
    const compile = (some: readonly string[]) => run('g++', [...CPP_WARNINGS, ...flags, ...CPP_INCLUDES, '-c', ...some], { cwd: made })
    await Promise.all([compile(files.slice(0, half)), compile(files.slice(half))])
    // Another file of tests may have made them meanwhile.
    await rename(made, kept).catch(() => rm(made, { recursive: true, force: true }))
  }
  return [...readdirSync(kept).map((name) => join(kept, name)), ...(await compileSources(join(folder, 'objects'), tools))]
}

/** Builds programs of the binding into the folder, one after the other; by default with the sanitizers. Paths are below the binding, or absolute. */
export async function buildCppPrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
  tools: Tools = SANITIZED,
): Promise<void> {
  const built = await compileCppSources(folder, tools)
  const flags = tools === SANITIZED ? CPP_SANITIZED : tools.flags
  for (const [name, source] of Object.entries(programs)) {
    const words = [...CPP_WARNINGS, ...flags, ...CPP_INCLUDES, resolve(CPP_BINDING, source), ...built]
    await run('g++', [...words, '-o', join(folder, name)])
  }
}
