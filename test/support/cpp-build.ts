/** Builds programs of the C++ binding: with every warning, with sanitizers, or fast. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { compileSources, INCLUDES, SANITIZED, type Tools } from './c-build.ts'

const run = promisify(execFile)

export const CPP_BINDING = resolve(import.meta.dirname, '../../bindings/cpp')
/** Every warning that the binding supports. */
export const CPP_WARNINGS = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-pedantic', '-Wconversion']
export const CPP_INCLUDES = [`-I${join(CPP_BINDING, 'include')}`, `-I${join(CPP_BINDING, 'generated')}`, ...INCLUDES]

/** Not optimized, because the compiler then takes minutes. */
const CPP_SANITIZED = [...SANITIZED.flags, '-O0', '-g1']

/** Builds programs of the binding into the folder, one after the other; by default with the sanitizers. Paths are below the binding, or absolute. */
export async function buildCppPrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
  tools: Tools = SANITIZED,
): Promise<void> {
  const built = await compileSources(join(folder, 'objects'), tools)
  const flags = tools === SANITIZED ? CPP_SANITIZED : tools.flags
  for (const [name, source] of Object.entries(programs)) {
    const words = [...CPP_WARNINGS, ...flags, ...CPP_INCLUDES, resolve(CPP_BINDING, source), ...built]
    await run('g++', [...words, '-o', join(folder, name)])
  }
}
