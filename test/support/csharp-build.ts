/** Builds the C# binding and programs of it with the compiler of mono. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { roslyn } from '#bindings/pack/roslyn.ts'
import type { Command } from '../conformance/clients/adapter.ts'
import { isInstalled } from './c-build.ts'

const run = promisify(execFile)

export const CSHARP_BINDING = resolve(import.meta.dirname, '../../bindings/csharp')
/** Every warning, and a language that every supported engine has. System.Core has the pipes. */
const FLAGS = ['-langversion:7.2', '-warn:4', '-warnaserror', '-optimize', '-r:System.Core.dll']
const LIBRARY = 'Sallyport.dll'
const ENDING = join(CSHARP_BINDING, 'tests/Ending.cs')

/** Why the binding cannot be built here; undefined if it can. */
export const csharpObstacle: string | undefined =
  (await isInstalled('mcs')) && (await isInstalled('mono'))
    ? undefined
    : 'There is no mcs or no mono; install mono-mcs, mono-runtime and libmono-system-core4.0-cil.'

/** Why the package for .NET cannot be made here; undefined if it can. Fetches the compiler. */
export const nugetObstacle = async (): Promise<string | undefined> => {
  if (csharpObstacle !== undefined) return csharpObstacle
  if (!(await isInstalled('wine'))) return 'There is no wine, which runs the C# compiler of the package.'
  return roslyn().then(
    () => undefined,
    (error: unknown) => `npm could not give the C# compiler of the package: ${String(error)}`,
  )
}

const sourcesIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(CSHARP_BINDING, folder))
      .filter((name) => name.endsWith('.cs'))
      .map((name) => join(CSHARP_BINDING, folder, name)),
  )

export const csharpSources = (): readonly string[] => sourcesIn('src', 'generated')

/** Builds the library and its programs into the folder. Paths are below the binding, or absolute. Throws with the messages of the compiler. */
export async function buildCsharp(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const library = join(folder, LIBRARY)
  await run('mcs', [...FLAGS, '-target:library', `-out:${library}`, ...csharpSources()])
  for (const [name, source] of Object.entries(programs))
    await run('mcs', [...FLAGS, `-r:${library}`, `-out:${join(folder, `${name}.exe`)}`, resolve(CSHARP_BINDING, source), ENDING])
}

/**
 * Builds a program together with the sources of the library, so that it can use what is internal; also those for netstandard2.1, since the
 * class library of mono has what they need.
 */
export async function buildCsharpInside(folder: string, name: string, ...sources: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run('mcs', [
    ...FLAGS,
    `-out:${join(folder, `${name}.exe`)}`,
    ...sources.map((source) => join(CSHARP_BINDING, source)),
    ENDING,
    ...csharpSources(),
    ...sourcesIn('netstandard2.1'),
  ])
}

/** What starts a program that was built into the folder. */
export const csharpProgram = (folder: string, name: string, ...args: readonly string[]): Command => [
  'mono',
  join(folder, `${name}.exe`),
  ...args,
]
