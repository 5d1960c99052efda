/** Builds the C++ binding with the sanitizers. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { compileSources, INCLUDE, SANITIZED } from '../../support/c-build.ts'

const run = promisify(execFile)

export const CPP_BINDING = resolve(import.meta.dirname, '../../../bindings/cpp')
/** Every warning that the binding supports. */
export const CPP_WARNINGS = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-pedantic', '-Wconversion']
export const CPP_INCLUDES = [`-I${join(CPP_BINDING, 'include')}`, INCLUDE]

/** Builds programs of the binding with the sanitizers into the folder, one after the other. Paths are below the binding, or absolute. */
export async function buildCppPrograms(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const built = await compileSources(join(folder, 'objects'))
  for (const [name, source] of Object.entries(programs)) {
    const words = [...CPP_WARNINGS, ...SANITIZED.flags, '-O0', '-g1', ...CPP_INCLUDES, resolve(CPP_BINDING, source), ...built]
    await run('g++', [...words, '-o', join(folder, name)])
  }
}
