/** Compiles the plugin for Unreal, as it is packed, against our stand-in of the engine. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ARCHIVES } from '#bindings/pack/archives.ts'
import { filesOf, unpackInto } from '#bindings/pack/pack.ts'
import { generatedFor } from './unreal-header-tool.ts'

const run = promisify(execFile)
const STUBS = resolve(import.meta.dirname, '../engines/unreal')
const MODULE = 'Sallyport/Source/SallyportClient'
/** As the engine compiles: without exceptions and type information, with shadowed names and unknown macros as errors. */
const COMMON = ['-Wall', '-Wextra', '-Werror', '-Wshadow', '-Wundef', '-g', '-O1']
const CPP_FLAGS = [...COMMON, '-fno-exceptions', '-fno-rtti', '-DSALLYPORTCLIENT_API=']
export const SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']

export interface UnrealPlugin {
  /** Of the archive. */
  readonly paths: readonly string[]
  /** Folder of the plugin. */
  readonly home: string
  /** Folder of the module. */
  readonly module: string
}

/** Unpacks the plugin, and writes what the header tool would. */
export async function unpackUnreal(folder: string): Promise<UnrealPlugin> {
  const archive = ARCHIVES.find(({ name }) => name === 'unreal')
  if (archive === undefined || !('parts' in archive)) throw new Error('the table of archives has no plugin for Unreal')
  const files = await filesOf(archive)
  await unpackInto(folder, files)
  await mkdir(join(folder, 'generated'))
  const headers = [...files].filter(([path, data]) => path.endsWith('.h') && data.includes('.generated.h"'))
  const generated = generatedFor(new Map(headers.map(([path, data]) => [basename(path, '.h'), data.toString()])))
  for (const [name, text] of generated) await writeFile(join(folder, 'generated', `${name}.generated.h`), text)
  return { paths: [...files.keys()], home: join(folder, 'Sallyport'), module: join(folder, MODULE) }
}

const filesIn = async (folder: string, end: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(end)).map((name) => join(folder, name))

export interface Compilers {
  readonly c: string
  readonly cpp: string
  readonly standard: string
  readonly flags: readonly string[]
  /** Whether the module is one unit, as the engine's build tool makes it by default: names of its files then meet. */
  readonly isOneUnit?: true
  /** What the system links; none on Linux. */
  readonly libraries?: readonly string[]
}

const includesOf = ({ home, module }: UnrealPlugin): readonly string[] =>
  [join(module, 'Private'), join(module, 'Public'), join(home, 'Sample'), join(dirname(home), 'generated'), STUBS].map(
    (path) => `-I${path}`,
  )

/** Compiles a source of a game into nothing. Rejects with the messages of the compiler. */
export async function compileGame(plugin: UnrealPlugin, source: string): Promise<void> {
  await run('g++', ['-std=c++17', ...CPP_FLAGS, ...includesOf(plugin), '-fsyntax-only', source])
}

/** Builds module, sample and game loop into one program. Rejects with the messages of the compiler. */
export async function buildUnreal(
  plugin: UnrealPlugin,
  { c, cpp, standard, flags, isOneUnit, libraries = [] }: Compilers,
): Promise<string> {
  const { home, module } = plugin
  const objects = join(dirname(home), `objects-${cpp}`)
  await mkdir(objects)
  const inside = join(module, 'Private')
  await run(c, [...COMMON, ...flags, `-I${inside}`, '-c', ...(await filesIn(join(inside, 'Client'), '.c'))], { cwd: objects })
  const own = await filesIn(inside, '.cpp')
  const unit = join(objects, 'Module.SallyportClient.cpp')
  if (isOneUnit) await writeFile(unit, own.map((path) => `#include "${path}"\n`).join(''))
  const code = [...(isOneUnit ? [unit] : own), ...(await filesIn(join(home, 'Sample'), '.cpp')), ...(await filesIn(STUBS, '.cpp'))]
  await run(cpp, [`-std=${standard}`, ...CPP_FLAGS, ...flags, ...includesOf(plugin), '-c', ...code], { cwd: objects })
  // Windows runs only what has this ending; Linux does not mind.
  const program = join(dirname(home), `game-${cpp}.exe`)
  await run(cpp, [...flags, ...(await filesIn(objects, '.o')), ...libraries, '-o', program])
  return program
}

/** The rules of the module, compiled with our stand-in of the build tool; prints what a build for each system links. */
export async function runRules({ home, module }: UnrealPlugin): Promise<string> {
  const program = join(dirname(home), 'rules.exe')
  const files = [join(STUBS, 'BuildTool.cs'), join(module, 'SallyportClient.Build.cs')]
  await run('mcs', ['-langversion:7.2', '-warn:4', '-warnaserror', `-out:${program}`, ...files])
  return (await run('mono', [program], { cwd: module })).stdout
}

/** The description of the plugin. */
export const descriptor = async ({ home }: UnrealPlugin): Promise<unknown> =>
  JSON.parse(await readFile(join(home, 'Sallyport.uplugin'), 'utf8')) as unknown
