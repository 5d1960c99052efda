/**
 * The NuGet package. mcs compiles the library; it refers to mscorlib, System and System.Core, which .NET and Unity forward, because mono has
 * no reference assembly of netstandard2.0.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Files } from './files.ts'

const FLAGS = ['-langversion:7.2', '-warnaserror', '-nowarn:1591,1573', '-optimize', '-r:System.Core.dll', '-target:library']

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
  <Default Extension="xml" ContentType="application/octet" />
  <Default Extension="md" ContentType="application/octet" />
</Types>
`

/** Compiles the library in the folder of the C# client. Rejects with the messages of the compiler. */
export async function nugetFiles(home: string, version: string): Promise<Files> {
  const scratch = await mkdtemp(join(tmpdir(), 'spn-'))
  try {
    const folders = ['src', 'generated'].map((part) => join(home, part))
    const sources = (await Promise.all(folders.map(async (path) => (await readdir(path)).map((name) => join(path, name))))).flat()
    const [library, documents] = [join(scratch, 'Sallyport.dll'), join(scratch, 'Sallyport.xml')]
    await promisify(execFile)('mcs', [...FLAGS, `-doc:${documents}`, `-out:${library}`, ...sources])
    return new Map([
      ['[Content_Types].xml', Buffer.from(TYPES)],
      ['_rels/.rels', Buffer.from(RELATIONS)],
      ['Sallyport.nuspec', Buffer.from(nuspec(version))],
      ['README.md', await readFile(join(home, 'README.md'))],
      ['DESIGN.md', await readFile(join(home, 'DESIGN.md'))],
      ['lib/netstandard2.0/Sallyport.dll', await readFile(library)],
      ['lib/netstandard2.0/Sallyport.xml', await readFile(documents)],
    ])
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
