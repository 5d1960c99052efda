/** The NuGet package: the library for netstandard2.0 and netstandard2.1, with symbols and documentation. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Files } from './files.ts'
import { type Roslyn, roslyn } from './roslyn.ts'

/** -embed: the symbols hold the sources, so that a debugger finds them without a server. */
const FLAGS = [
  ...['-nologo', '-noconfig', '-nostdlib', '-langversion:8', '-warn:4', '-warnaserror', '-nowarn:1591,1573'],
  ...['-optimize', '-deterministic', '-debug:portable', '-embed', '-target:library'],
]
const MONO = '/usr/lib/mono/4.5'

/** A target framework, what it refers to, and the folders of its sources. */
interface Target {
  readonly name: string
  readonly references: readonly string[]
  readonly folders: readonly string[]
}

/**
 * The older one refers to the assemblies of mono, which .NET and Unity forward, because no reference assembly of netstandard2.0 can be had
 * here.
 */
const targets = ({ netstandard }: Roslyn): readonly Target[] => [
  {
    name: 'netstandard2.0',
    references: ['mscorlib', 'System', 'System.Core'].map((name) => join(MONO, `${name}.dll`)),
    folders: ['src', 'generated'],
  },
  { name: 'netstandard2.1', references: [netstandard], folders: ['src', 'generated', 'netstandard2.1'] },
]

const nuspec = (version: string): string => `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>Sallyport</id>
    <version>${version}</version>
    <authors>Sallyport</authors>
    <license type="expression">MIT</license>
    <readme>README.md</readme>
    <description>A client for games. Sallyport is a local bridge between native games and a platform's HTTP API.</description>
    <dependencies>
      <group targetFramework=".NETStandard2.0" />
      <group targetFramework=".NETStandard2.1" />
    </dependencies>
  </metadata>
</package>
`
const RELATIONS = `<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/Sallyport.nuspec" Id="R1" />
</Relationships>
`
const TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />
  <Default Extension="nuspec" ContentType="application/octet" />
  <Default Extension="dll" ContentType="application/octet" />
  <Default Extension="pdb" ContentType="application/octet" />
  <Default Extension="xml" ContentType="application/octet" />
  <Default Extension="md" ContentType="application/octet" />
</Types>
`

const MARK = /^( *)\[MayBeNull\] public (static )?(\w+(?:<[\w, <>]*>)?) (.*)$/gm

/**
 * A source in C# 8: members that are marked get a `?`. Only they are judged; the rest stays as it is for compilers that do not know nullable
 * references.
 */
export const annotated = (source: string): string =>
  source.replace(
    MARK,
    (_all, indent: string, word = '', type = '', rest = '') =>
      `#nullable enable annotations\n${indent}public ${word}${type}? ${rest}\n#nullable restore annotations`,
  )

/** The three files of a target. */
async function compiled(home: string, scratch: string, { name, references, folders }: Target, { compile }: Roslyn): Promise<Files> {
  const sources = join(scratch, name, 'sources')
  await mkdir(sources, { recursive: true })
  const paths: string[] = []
  for (const folder of folders)
    for (const file of await readdir(join(home, folder))) {
      const path = join(sources, `${folder}-${file}`)
      await writeFile(path, annotated(await readFile(join(home, folder, file), 'utf8')))
      paths.push(path)
    }
  const of = (extension: string): string => join(scratch, name, `Sallyport.${extension}`)
  // Without the map the symbols would name folders of this system.
  const map = `-pathmap:${join(scratch, name)}=/_`
  await compile([...FLAGS, map, `-doc:${of('xml')}`, `-out:${of('dll')}`, ...references.map((one) => `-r:${one}`), ...paths])
  const made = new Map<string, Buffer>()
  for (const extension of ['dll', 'pdb', 'xml']) made.set(`lib/${name}/Sallyport.${extension}`, await readFile(of(extension)))
  return made
}

/** Compiles the library in the folder of the C# client. Rejects with the messages of the compiler, or with what is missing. */
export async function nugetFiles(home: string, version: string): Promise<Files> {
  const scratch = await mkdtemp(join(tmpdir(), 'spn-'))
  try {
    const compiler = await roslyn()
    const libraries: [string, Buffer][] = []
    for (const target of targets(compiler)) libraries.push(...(await compiled(home, scratch, target, compiler)))
    return new Map([
      ['[Content_Types].xml', Buffer.from(TYPES)],
      ['_rels/.rels', Buffer.from(RELATIONS)],
      ['Sallyport.nuspec', Buffer.from(nuspec(version))],
      ['README.md', await readFile(join(home, 'README.md'))],
      ['DESIGN.md', await readFile(join(home, 'DESIGN.md'))],
      ...libraries,
    ])
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
