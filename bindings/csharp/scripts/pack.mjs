#!/usr/bin/env node
/**
 * Writes the NuGet package: `node pack.mjs FOLDER`. It needs mcs of mono. The library refers to mscorlib, System and System.Core, which
 * .NET and Unity forward, because mono has no reference assembly of netstandard2.0.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '..')
const { version, license, description } = JSON.parse(readFileSync(resolve(ROOT, '../../package.json'), 'utf8'))
/** 1 January 1980, the first date of a ZIP: the same sources make the same package. */
const DATE = 0x21
const GZIP_HEADER = 10
const GZIP_TRAILER = 8

const NUSPEC = `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>Sallyport</id>
    <version>${version}</version>
    <authors>Sallyport</authors>
    <license type="expression">${license}</license>
    <readme>README.md</readme>
    <description>A client for games. Sallyport is ${description.replace(/^A/, 'a')}.</description>
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

/** Header fields of an entry that the local and the central header share. */
function fields({ name, crc, packed, size }) {
  const bytes = Buffer.alloc(26)
  bytes.writeUInt16LE(20, 0)
  bytes.writeUInt16LE(8, 4)
  bytes.writeUInt16LE(DATE, 8)
  bytes.writeUInt32LE(crc, 10)
  bytes.writeUInt32LE(packed.length, 14)
  bytes.writeUInt32LE(size, 18)
  bytes.writeUInt16LE(Buffer.byteLength(name), 22)
  return bytes
}

function zip(files) {
  const parts = []
  const directory = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content)
    // gzip has the deflated bytes and their checksum.
    const gzip = gzipSync(data, { level: 9 })
    const entry = {
      name,
      size: data.length,
      crc: gzip.readUInt32LE(gzip.length - GZIP_TRAILER),
      packed: gzip.subarray(GZIP_HEADER, gzip.length - GZIP_TRAILER),
    }
    const shared = fields(entry)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), entry.packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, place, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

const [output] = process.argv.slice(2)
if (output === undefined) {
  process.stderr.write('usage: node pack.mjs FOLDER\n')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'spn-'))
try {
  const sources = ['src', 'Generated'].flatMap((part) => readdirSync(join(ROOT, part)).map((name) => join(ROOT, part, name)))
  const library = join(folder, 'Sallyport.dll')
  const documents = join(folder, 'Sallyport.xml')
  const flags = ['-langversion:7.2', '-warnaserror', '-nowarn:1591,1573', '-optimize', '-r:System.Core.dll', '-target:library']
  execFileSync('mcs', [...flags, `-doc:${documents}`, `-out:${library}`, ...sources], { stdio: 'inherit' })
  mkdirSync(output, { recursive: true })
  const path = join(output, `Sallyport.${version}.nupkg`)
  const files = {
    '[Content_Types].xml': TYPES,
    '_rels/.rels': RELATIONS,
    'Sallyport.nuspec': NUSPEC,
    'README.md': readFileSync(join(ROOT, 'README.md')),
    'lib/netstandard2.0/Sallyport.dll': readFileSync(library),
    'lib/netstandard2.0/Sallyport.xml': readFileSync(documents),
  }
  writeFileSync(path, zip(files))
  process.stdout.write(`${path}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
