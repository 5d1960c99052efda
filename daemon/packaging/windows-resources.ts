/** Puts icon and version information into a Windows program. Its signature is removed, because it would no longer match. */
import { createRequire } from 'node:module'

/** A resource of a program. */
interface Entry {
  readonly type: number | string
}

interface VersionInfo {
  lang: number
  setFileVersion(major: number, minor: number, micro: number, revision: number, lang: number): void
  setProductVersion(major: number, minor: number, micro: number, revision: number, lang: number): void
  setStringValues(language: { readonly lang: number; readonly codepage: number }, values: Readonly<Record<string, string>>): void
  outputToResourceEntries(entries: readonly Entry[]): void
}

interface Executable {
  generate(): ArrayBuffer
}

/** The used part of resedit. Its own types bring those of browsers into the whole program. */
interface ResEdit {
  readonly Data: { readonly IconFile: { from(icon: Buffer): { readonly icons: readonly { readonly data: unknown }[] } } }
  readonly NtExecutable: { from(program: Buffer, options: { readonly ignoreCert: boolean }): Executable }
  readonly NtExecutableResource: {
    from(executable: Executable): { entries: readonly Entry[]; outputResource(executable: Executable): void }
  }
  readonly Resource: {
    readonly IconGroupEntry: {
      replaceIconsForResource(entries: readonly Entry[], group: number, lang: number, icons: readonly unknown[]): void
    }
    readonly VersionInfo: { createEmpty(): VersionInfo }
  }
}

const require = createRequire(import.meta.url)

const ENGLISH = 1033
const UNICODE = 1200
const ICON_GROUP = 1
/** Icon, icon group and version. */
const REPLACED_TYPES: readonly (number | string)[] = [3, 14, 16]

export interface ProgramFacts {
  readonly version: string
  readonly fileName: string
  readonly description: string
  readonly icon: Buffer
}

/** `1.2.3-rc.1` as the four numbers of Windows. */
const numbersOf = (version: string): readonly [number, number, number, number] => {
  const [major = 0, minor = 0, patch = 0] = (version.split('-')[0] ?? '').split('.').map(Number)
  return [major, minor, patch, 0]
}

/**
 * Gives the resource section the file size that its content has. resedit leaves that of the original; then the section seems to reach over
 * the next one, and the program that adds the daemon reads relocations in the wrong place.
 */
function fitResources(program: Buffer): Buffer {
  const header = program.readUInt32LE(0x3c)
  const [sections, optionalBytes] = [program.readUInt16LE(header + 6), program.readUInt16LE(header + 20)]
  const optional = header + 24
  const alignment = program.readUInt32LE(optional + 36)
  for (let at = optional + optionalBytes, index = 0; index < sections; index += 1, at += 40) {
    if (!program.toString('latin1', at, at + 8).startsWith('.rsrc')) continue
    const bytes = program.readUInt32LE(at + 8)
    program.writeUInt32LE(Math.ceil(bytes / alignment) * alignment, at + 16)
  }
  return program
}

export function withResources(program: Buffer, { version, fileName, description, icon }: ProgramFacts): Buffer {
  const { Data, NtExecutable, NtExecutableResource, Resource } = require('resedit') as ResEdit
  const executable = NtExecutable.from(program, { ignoreCert: true })
  const resources = NtExecutableResource.from(executable)
  const icons = Data.IconFile.from(icon).icons.map(({ data }) => data)
  // Node's own are in another language, and both would stay.
  resources.entries = resources.entries.filter(({ type }) => !REPLACED_TYPES.includes(type))
  Resource.IconGroupEntry.replaceIconsForResource(resources.entries, ICON_GROUP, ENGLISH, icons)
  const info = Resource.VersionInfo.createEmpty()
  info.lang = ENGLISH
  info.setFileVersion(...numbersOf(version), ENGLISH)
  info.setProductVersion(...numbersOf(version), ENGLISH)
  info.setStringValues(
    { lang: ENGLISH, codepage: UNICODE },
    {
      ProductName: 'Sallyport',
      FileDescription: description,
      FileVersion: version,
      ProductVersion: version,
      OriginalFilename: fileName,
      InternalName: fileName.replace(/\.exe$/, ''),
      LegalCopyright: 'MIT License',
    },
  )
  info.outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  return fitResources(Buffer.from(executable.generate()))
}
