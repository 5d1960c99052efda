/** The Lua binding as a game has it: the modules, and the C library beside them. */
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from '../conformance/clients/adapter.ts'
import { isInstalled } from './c-build.ts'
import { buildShared } from './c-library.ts'

export const LUA_BINDING = resolve(import.meta.dirname, '../../bindings/lua')
/** The modules, as a game copies them. */
export const LUA_MODULES = ['sallyport.lua', 'sallyport'] as const

const hasCompiler = process.platform === 'linux' && (await isInstalled('gcc'))

/** Whether LuaJIT is here; it has no `--version`. */
const hasLuaJit = await isInstalled('luajit', '-v')

/** Why the binding cannot run in LuaJIT here; undefined if it can. */
export const luaObstacle: string | undefined = !hasCompiler
  ? 'The Lua tests need Linux and gcc; install gcc.'
  : hasLuaJit
    ? undefined
    : 'There is no LuaJIT; install luajit.'

/** Why the binding cannot run in LÖVE here; undefined if it can. */
export const loveObstacle: string | undefined = !hasCompiler
  ? 'The tests of LÖVE need Linux and gcc; install gcc.'
  : (await isInstalled('love'))
    ? undefined
    : 'There is no LÖVE; install love.'

/** Makes a folder with a program of the binding, the modules and the library: what a game ships. */
export async function layOutGame(folder: string, program: string): Promise<void> {
  await cp(join(LUA_BINDING, program), folder, { recursive: true })
  for (const name of LUA_MODULES) await cp(join(LUA_BINDING, name), join(folder, name), { recursive: true })
  await buildShared(join(folder, 'sallyport'))
}

/** The library with a clock that the adapter advances, and what starts the adapter. */
export async function buildLuaAdapter(folder: string): Promise<Command> {
  const library = await buildShared(folder, [join(LUA_BINDING, 'tests/clock.c')])
  return ['luajit', join(LUA_BINDING, 'tests/adapter.lua'), library]
}
