/** Compiles the package for Unity as the editor would: each assembly definition of the packed archive, against our stand-in of the engine. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ARCHIVES } from '#bindings/pack/archives.ts'
import { pack } from '#bindings/pack/pack.ts'
import { CSHARP_BINDING } from './csharp-build.ts'

const run = promisify(execFile)
const STUBS = resolve(import.meta.dirname, '../engines/unity')
/** What the oldest supported editor compiles, with every warning. Fields that the inspector sets seem unset to the compiler. */
const FLAGS = ['-langversion:7.2', '-warn:4', '-warnaserror', '-nowarn:649', '-optimize', '-r:System.Core.dll']

interface AssemblyDefinition {
  readonly name: string
  readonly references: readonly string[]
  readonly noEngineReferences: boolean
}

const codeIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.cs'))
    .map((name) => join(folder, name))

/** Files below the folder. */
const allIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(folder, path)).isFile())

export interface UnityPackage {
  /** The unpacked package. */
  readonly home: string
  /** Of the package, from its folder. */
  readonly files: readonly string[]
  /** The program that plays. */
  readonly program: string
}

/** Rejects with the messages of the compiler. */
export async function buildUnity(folder: string): Promise<UnityPackage> {
  const archive = ARCHIVES.find(({ name }) => name === 'unity')
  const made = archive === undefined ? undefined : await pack(archive, folder)
  if (made === undefined) throw new Error('the table of archives has no package for Unity')
  await run('tar', ['-xzf', made.path, '-C', folder])
  const home = join(folder, 'package')
  const engine = join(folder, 'UnityStubs.dll')
  await run('mcs', [
    ...FLAGS,
    '-target:library',
    `-out:${engine}`,
    ...['UnityEngine', 'UnityScenes', 'UnityEditor'].map((one) => join(STUBS, `${one}.cs`)),
  ])
  const files = allIn(home)
  const definitions = files
    .filter((path) => path.endsWith('.asmdef'))
    .map((path) => ({
      folder: join(home, dirname(path)),
      definition: JSON.parse(readFileSync(join(home, path), 'utf8')) as AssemblyDefinition,
    }))
    .toSorted((one, other) => one.definition.references.length - other.definition.references.length)
  const libraries: string[] = []
  for (const { folder: sources, definition } of definitions) {
    const { name, references, noEngineReferences } = definition
    const out = join(folder, `${name}.dll`)
    const named = [...references.map((one) => join(folder, `${one}.dll`)), ...(noEngineReferences ? [] : [engine])]
    await run('mcs', [...FLAGS, ...named.map((one) => `-r:${one}`), '-target:library', `-out:${out}`, ...codeIn(sources)])
    libraries.push(out)
  }
  const program = join(folder, 'play.exe')
  const sources = [join(STUBS, 'PlayMode.cs'), join(CSHARP_BINDING, 'tests/Ending.cs'), ...codeIn(join(home, 'Samples~/Dockside'))]
  await run('mcs', [...FLAGS, ...[...libraries, engine].map((one) => `-r:${one}`), `-out:${program}`, ...sources])
  return { home, files, program }
}
