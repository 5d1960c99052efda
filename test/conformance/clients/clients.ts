/** The clients that the kit knows: how each adapter is started, and where its claims are. */
import { join, resolve } from 'node:path'
import { buildPrograms, isInstalled } from '#test/support/c-build.ts'
import { buildCppPrograms } from '#test/support/cpp-build.ts'
import { buildCsharp, csharpObstacle, csharpProgram } from '#test/support/csharp-build.ts'
import { buildLuaAdapter, luaObstacle } from '#test/support/lua-build.ts'
import { pythonObstacle, pythonProgram } from '#test/support/python.ts'
import { buildGodot, godotObstacle, godotProgram, testProject } from '#test/support/godot-build.ts'
import type { Command } from './adapter.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const ADAPTERS = join(import.meta.dirname, 'adapters')

export interface KnownClient {
  readonly name: string
  readonly claims: string
  /** Builds the adapter into the folder, if it must be built. Resolves with a sentence when this system cannot. */
  prepare(folder: string): Promise<Command | string>
}

const inNode = (name: string, file: string, claims: string): KnownClient => ({
  name,
  claims,
  prepare: () => Promise.resolve([process.execPath, '--conditions=sallyport-source', join(ADAPTERS, file)]),
})

export const CLIENTS: readonly KnownClient[] = [
  inNode('typescript', 'typescript.ts', join(ROOT, 'bindings/ts/features.json')),
  {
    name: 'c',
    claims: join(ROOT, 'bindings/c/features.json'),
    // With the sanitizers: each step proves the memory too.
    async prepare(folder) {
      if (process.platform === 'win32' || !(await isInstalled('gcc'))) return 'There is no gcc to build the adapter with; install gcc.'
      await buildPrograms(folder, { adapter: 'tests/adapter.c' })
      return [join(folder, 'adapter')]
    },
  },
  {
    name: 'cpp',
    claims: join(ROOT, 'bindings/cpp/features.json'),
    async prepare(folder) {
      // Its adapter takes the place of a function of the C library of Linux to advance the clock.
      if (process.platform !== 'linux' || !(await isInstalled('g++'))) return 'The C++ adapter needs Linux and g++; install g++.'
      await buildCppPrograms(folder, { adapter: 'tests/adapter.cpp' })
      return [join(folder, 'adapter')]
    },
  },
  {
    name: 'csharp',
    claims: join(ROOT, 'bindings/csharp/features.json'),
    async prepare(folder) {
      if (csharpObstacle !== undefined) return csharpObstacle
      await buildCsharp(folder, { adapter: 'tests/Adapter.cs' })
      return csharpProgram(folder, 'adapter')
    },
  },
  {
    name: 'lua',
    claims: join(ROOT, 'bindings/lua/features.json'),
    prepare: (folder) => (luaObstacle === undefined ? buildLuaAdapter(folder) : Promise.resolve(luaObstacle)),
  },
  {
    name: 'godot',
    claims: join(ROOT, 'bindings/engines/godot/features.json'),
    async prepare(folder) {
      if (godotObstacle !== undefined) return godotObstacle
      await buildGodot(join(folder, 'built'))
      await testProject(join(folder, 'built'), join(folder, 'project'), join(folder, 'home'))
      return godotProgram(join(folder, 'project'), 'adapter')
    },
  },
  {
    name: 'python',
    claims: join(ROOT, 'bindings/python/features.json'),
    prepare: () => Promise.resolve(pythonObstacle ?? pythonProgram('tests/adapter.py')),
  },
  inNode('discord-rpc', 'discord-rpc.ts', join(ADAPTERS, 'discord-rpc.features.json')),
  inNode('xhayper', 'xhayper.ts', join(ADAPTERS, 'xhayper.features.json')),
]
