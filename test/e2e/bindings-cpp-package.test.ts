/** The package of the C++ client: the CMake steps of its recipes, by hand, from the packed archive; and what a file that includes it costs. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ARCHIVES } from '#bindings/pack/archives.ts'
import { pack } from '#bindings/pack/pack.ts'
import { isInstalled } from '#test/support/c-build.ts'
import { COMPILE_MS, CPP_BINDING, CPP_INCLUDES, CPP_WARNINGS } from '#test/support/cpp-build.ts'

const run = promisify(execFile)
const KIB = 1024
const MOST_OBJECT = 190 * KIB
const hasTools = process.platform === 'linux' && (await isInstalled('cmake')) && (await isInstalled('g++'))

/** Options of CMake that a recipe sets. */
const OPTIONS: Readonly<Record<string, (recipe: string) => readonly string[]>> = {
  'ports/sallyport-cpp/portfile.cmake': (recipe) => [...recipe.matchAll(/-D\w+=\w+/g)].map(([option]) => option),
  'conanfile.py': (recipe) => [...recipe.matchAll(/cache_variables\["(\w+)"\] = "(\w+)"/g)].map(([, name, value]) => `-D${name}=${value}`),
}

describe('the package of the C++ client', () => {
  let folder: string
  let unpacked: string
  beforeAll(async () => {
    if (!hasTools) return
    folder = await mkdtemp(join(tmpdir(), 'spk-'))
    const archive = ARCHIVES.find(({ name }) => name === 'cpp')
    if (archive === undefined) throw new Error('there is no row of the C++ package')
    const { path } = await pack(archive, folder)
    await run('tar', ['-xzf', path, '-C', folder])
    unpacked = join(folder, 'sallyport-cpp')
  }, COMPILE_MS)
  afterAll(() => (hasTools ? rm(folder, { recursive: true, force: true }) : undefined))
  beforeEach((context) => context.skip(!hasTools, 'There is no CMake with g++; install cmake and g++.'))

  test('builds and is found as its recipes for vcpkg and Conan say', { timeout: COMPILE_MS }, async () => {
    const chosen = await Promise.all(
      Object.entries(OPTIONS).map(async ([name, optionsOf]) => optionsOf(await readFile(join(unpacked, name), 'utf8')).toSorted()),
    )
    const [options = [], others] = chosen
    expect(options).toHaveLength(3)
    expect(others).toEqual(options)
    const [build, prefix, game] = [join(folder, 'build'), join(folder, 'prefix'), join(folder, 'game')]
    await run('cmake', ['-S', join(unpacked, 'cpp'), '-B', build, ...options, `-DCMAKE_INSTALL_PREFIX=${prefix}`])
    await run('cmake', ['--build', build, '-j', '2'])
    await run('cmake', ['--install', build])
    await run('cmake', ['-S', join(CPP_BINDING, 'tests/consumer'), '-B', game, `-DCMAKE_PREFIX_PATH=${prefix}`])
    await run('cmake', ['--build', game])
    expect((await run(join(game, 'consumer'))).stdout).toBe('Disconnected\n')
  })

  test('has a header that adds little to each file that includes it', async () => {
    const file = join(folder, 'includes.cpp')
    await writeFile(file, '#include <sallyport/sdk.hpp>\nnamespace discordpp = sdk;\n')
    await run('g++', [...CPP_WARNINGS, '-O0', ...CPP_INCLUDES, '-c', file, '-o', `${file}.o`])
    expect((await stat(`${file}.o`)).size).toBeLessThan(MOST_OBJECT)
    // A game may have such a namespace.
    const own = '#define SALLYPORT_NO_SDK_ALIAS\n#include <sallyport/sdk.hpp>\nnamespace sdk { sallyport::sdk::Client *client; }\n'
    await writeFile(file, own)
    await run('g++', [...CPP_WARNINGS, ...CPP_INCLUDES, '-fsyntax-only', file])
  })
})
