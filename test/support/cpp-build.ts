/** Builds programs of the C++ binding: with every warning, with sanitizers, or fast. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
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
/** First part of the name of a folder that is not whole yet. */
const MADE = 'cpp-made-'
/** Programs under sanitizers take minutes on a busy machine. */
export const COMPILE_MS = 600_000
/** Not optimized, because the compiler then takes minutes. */
const CPP_SANITIZED = [...SANITIZED.flags, '-O0', '-g1']

/** The compiler of C++ that belongs to that of C. */
const cppTools = (tools: Tools): Tools => ({
  compiler: tools.compiler.replace('clang', 'clang++').replace('gcc', 'g++'),
  flags: tools === SANITIZED ? CPP_SANITIZED : tools.flags,
})

/** The sources of the library. */
export const cppSources = (): readonly string[] =>
  readdirSync(join(CPP_BINDING, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => join(CPP_BINDING, 'src', name))

/** A hash of the sources and the headers. */
function sourcesHash(): string {
  const hash = createHash('sha256')
  const folders = [join(CPP_BINDING, 'src'), ...CPP_INCLUDES.map((flag) => flag.slice('-I'.length))]
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
      if (/\.[ch](?:pp)?$/.test(name)) hash.update(name).update(readFileSync(join(folder, name)))
  return hash.digest('hex').slice(0, 16)
}

/** 0: another process has removed it. */
const modifiedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Removes the objects of other sources, and those that a killed process has not finished. */
async function removeOld(prefix: string): Promise<void> {
  for (const name of readdirSync(CACHE).filter((one) => one.startsWith('cpp-') && !one.startsWith(prefix))) {
    const isBeingMade = name.startsWith(MADE) && Date.now() - modifiedMs(join(CACHE, name)) < COMPILE_MS
    if (!isBeingMade) await rm(join(CACHE, name), { recursive: true, force: true })
  }
}

/**
 * Compiles both libraries; resolves with the paths of the objects. Those of C++ are kept for the next file of tests, because they take a
 * minute.
 */
export async function compileCppSources(folder: string, tools: Tools = SANITIZED): Promise<readonly string[]> {
  const { compiler, flags } = cppTools(tools)
  const prefix = `cpp-${sourcesHash()}-`
  const kept = join(
    CACHE,
    `${prefix}${createHash('sha256')
      .update([compiler, ...flags].join(' '))
      .digest('hex')
      .slice(0, 8)}`,
  )
  if (!existsSync(kept)) {
    await mkdir(CACHE, { recursive: true })
    await removeOld(prefix)
    const made = await mkdtemp(join(CACHE, MADE))
    const files = cppSources()
    const half = Math.ceil(files.length / 2)
    const compile = (some: readonly string[]) => run(compiler, [...CPP_WARNINGS, ...flags, ...CPP_INCLUDES, '-c', ...some], { cwd: made })
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
  const { compiler, flags } = cppTools(tools)
  for (const [name, source] of Object.entries(programs)) {
    const words = [...CPP_WARNINGS, ...flags, ...CPP_INCLUDES, resolve(CPP_BINDING, source), ...built]
    await run(compiler, [...words, '-o', join(folder, name)])
  }
}
