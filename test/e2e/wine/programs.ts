/** What the tests under Wine run: bundles for node.exe, programs in C that mingw compiles, and in C# for .NET. */
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nugetFiles } from '#bindings/pack/nuget.ts'
import { bundle } from '#daemon/packaging/bundle.ts'
import { fileOfPackage } from '#daemon/packaging/npm-package.ts'
import { BINDING, isInstalled, sources, WARNINGS, INCLUDES } from '#test/support/c-build.ts'
import { buildCsharp, buildCsharpInside, CSHARP_BINDING, csharpObstacle } from '#test/support/csharp-build.ts'
import { DOTNET } from '#bindings/pack/roslyn.ts'
import { buildUnity } from '#test/support/unity-build.ts'
import { buildUnreal, type Compilers, unpackUnreal } from '#test/support/unreal-build.ts'
import { type Running, type Wine, type WinePlace } from './wine.ts'

const READY_POLL_MS = 50

/** What a program printed, one value a line. */
export const linesOf = (text: string): readonly object[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object)

export interface DaemonLine {
  readonly event: 'ready' | 'failed' | 'presence'
  readonly addresses?: readonly string[]
  readonly failure?: string
  readonly application?: string
  readonly details?: string | null
}

export async function bundled(name: string, wine: Wine): Promise<string> {
  const file = `${name}.cjs`
  const target = `node${wine.nodeVersion.split('.')[0]}`
  await bundle({ entry: join(import.meta.dirname, `${name}.ts`), folder: wine.outputs, target, parts: [{ file }] })
  return join(wine.outputs, file)
}

/** Waits until the daemon has said where it listens. */
export async function readyLine(daemon: Running): Promise<DaemonLine> {
  const over = daemon.ended.then(() => true)
  for (;;) {
    const [first] = linesOf(daemon.output()) as readonly DaemonLine[]
    if (first !== undefined) return first
    const ended = await Promise.race([over, new Promise<false>((tick) => setTimeout(tick, READY_POLL_MS, false))])
    if (ended) throw new Error(`the daemon ended before it listened: ${daemon.output()}`)
  }
}

export const NO_COMPILER = 'There is no mingw compiler to build the C client with; install gcc-mingw-w64-x86-64.'

/** Compiles a program for Windows; undefined without the compiler. */
async function compile(wine: WinePlace, name: string, words: readonly string[]): Promise<string | undefined> {
  const program = join(wine.outputs, `${name}.exe`)
  const compiler = 'x86_64-w64-mingw32-gcc'
  if (!(await isInstalled(compiler))) return undefined
  await promisify(execFile)(compiler, ['-O2', '-s', ...words, '-o', program])
  return program
}

/** A client that no Node is in. */
export const compiled = (wine: WinePlace, name: string): Promise<string | undefined> =>
  compile(wine, name, ['-Wall', join(import.meta.dirname, `${name}.c`)])

/** A program with the C binding, whose source is below the binding. */
export const compiledBinding = (wine: WinePlace, name: string, source: string): Promise<string | undefined> => {
  const files = [...sources(), join(BINDING, source)]
  return compile(wine, name, [...WARNINGS, ...INCLUDES, ...files, '-lbcrypt', '-ladvapi32'])
}

const MINGW: Compilers = {
  c: 'x86_64-w64-mingw32-gcc',
  cpp: 'x86_64-w64-mingw32-g++',
  standard: 'c++17',
  flags: ['-static'],
  libraries: ['-lbcrypt', '-ladvapi32'],
}

/** The game of the plugin for Unreal; undefined without the compiler. */
export async function compiledUnreal(wine: Wine): Promise<string | undefined> {
  if (!(await isInstalled(MINGW.cpp))) return undefined
  const folder = join(wine.outputs, 'unreal')
  await rm(folder, { recursive: true, force: true })
  return buildUnreal(await unpackUnreal(folder), MINGW)
}

/** Programs that mono compiled run on .NET too. */
const RUNTIME = { runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version: '3.1.2' } } }

/** The programs that .NET for Windows runs under Wine, or why it cannot. */
export type DotnetPrograms = Readonly<Record<'dockside' | 'pipes' | 'player', readonly string[]>>

/** Builds them as mono does: the sample game, what strains the pipe, and the sample of the package for Unity. */
export async function compiledCsharp(wine: Wine): Promise<DotnetPrograms | { readonly missing: string }> {
  if (csharpObstacle !== undefined) return { missing: csharpObstacle }
  const dotnet = await fileOfPackage(DOTNET).catch(() => undefined)
  if (dotnet === undefined) return { missing: `npm could not give ${DOTNET.name}, so C# could not be tried under Wine.` }
  const folder = join(wine.outputs, 'csharp')
  await rm(folder, { recursive: true, force: true })
  await buildCsharp(folder, { dockside: 'examples/Dockside.cs' })
  // The library of the package, which .NET must be able to load.
  const packaged = await nugetFiles(CSHARP_BINDING, '0.0.0')
  await writeFile(join(folder, 'Sallyport.dll'), packaged.get('lib/netstandard2.0/Sallyport.dll') ?? '')
  await buildCsharpInside(join(folder, 'inside'), 'pipes', 'tests/Pipes.cs')
  const { program } = await buildUnity(join(folder, 'unity'))
  const command = async (path: string): Promise<readonly string[]> => {
    await writeFile(path.replace(/exe$/, 'runtimeconfig.json'), JSON.stringify(RUNTIME))
    return [dotnet, 'exec', path]
  }
  return {
    dockside: await command(join(folder, 'dockside.exe')),
    pipes: await command(join(folder, 'inside/pipes.exe')),
    player: [...(await command(program)), 'player'],
  }
}
