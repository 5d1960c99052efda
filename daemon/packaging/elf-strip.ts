/**
 * Removes symbol and debug sections from a 64-bit little-endian ELF program. A program of binutils would do the same for its own processor
 * only, and differently per version. This one gives the same bytes on every machine.
 */

const MAGIC = 0x464c457f
const CLASS_64_LITTLE = 0x0102
const CLASS_AT = 4
const TABLE_AT = 40
const ENTRY_BYTES_AT = 58
const COUNT_AT = 60
const NAMES_AT = 62
const PROGRAM_TABLE_AT = 32
const PROGRAM_ENTRY_BYTES_AT = 54
const PROGRAM_COUNT_AT = 56
const ENTRY_BYTES = 64
const ALIGNMENT = 8

/** Fields of an entry of the section table. */
const FIELD = { type: 4, flags: 8, offset: 24, size: 32, link: 40, info: 44 } as const
const NO_BITS = 8
const IN_MEMORY = 2n
const INFO_IS_SECTION = 0x40n

interface Section {
  readonly index: number
  readonly entry: Buffer
  readonly end: number
  readonly isInMemory: boolean
}

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

function sectionsOf(file: Buffer): readonly Section[] {
  const table = numberAt(file, TABLE_AT)
  return Array.from({ length: file.readUInt16LE(COUNT_AT) }, (_, index) => {
    const entry = Buffer.from(file.subarray(table + index * ENTRY_BYTES, table + (index + 1) * ENTRY_BYTES))
    const bytes = entry.readUInt32LE(FIELD.type) === NO_BITS ? 0 : numberAt(entry, FIELD.size)
    const isInMemory = (entry.readBigUInt64LE(FIELD.flags) & IN_MEMORY) !== 0n
    return { index, entry, end: numberAt(entry, FIELD.offset) + bytes, isInMemory }
  })
}

/** Where the last segment ends in the file. */
function segmentsEnd(file: Buffer): number {
  const [table, bytes] = [numberAt(file, PROGRAM_TABLE_AT), file.readUInt16LE(PROGRAM_ENTRY_BYTES_AT)]
  const SEGMENT_OFFSET = 8
  const SEGMENT_FILE_BYTES = 32
  const ends = Array.from({ length: file.readUInt16LE(PROGRAM_COUNT_AT) }, (_, index) => {
    const at = table + index * bytes
    return numberAt(file, at + SEGMENT_OFFSET) + numberAt(file, at + SEGMENT_FILE_BYTES)
  })
  return Math.max(0, ...ends)
}

const padding = (length: number): Buffer => Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT)

/** The program without the sections that are not loaded into memory. Throws for another kind of file. */
export function stripElf(file: Buffer): Buffer {
  const isElf = file.length > ENTRY_BYTES && file.readUInt32LE(0) === MAGIC && file.readUInt16LE(CLASS_AT) === CLASS_64_LITTLE
  if (!isElf || file.readUInt16LE(ENTRY_BYTES_AT) !== ENTRY_BYTES) throw new Error('this is no 64-bit ELF program with a section table')
  const sections = sectionsOf(file)
  const names = sections[file.readUInt16LE(NAMES_AT)]
  if (names === undefined) throw new Error('the ELF program has no section names')
  const kept = sections.filter((section) => section.index === 0 || section.isInMemory || section === names)
  const newIndex = new Map(kept.map(({ index }, position) => [index, position]))
  const contentEnd = Math.max(segmentsEnd(file), ...kept.filter((section) => section !== names).map(({ end }) => end))

  const content = file.subarray(0, contentEnd)
  const nameBytes = file.subarray(numberAt(names.entry, FIELD.offset), names.end)
  const beforeNames = padding(content.length)
  const namesAt = content.length + beforeNames.length
  const beforeTable = padding(namesAt + nameBytes.length)
  const table = kept.map((section) => {
    const entry = Buffer.from(section.entry)
    entry.writeUInt32LE(newIndex.get(entry.readUInt32LE(FIELD.link)) ?? 0, FIELD.link)
    const hasSectionInfo = (entry.readBigUInt64LE(FIELD.flags) & INFO_IS_SECTION) !== 0n
    if (hasSectionInfo) entry.writeUInt32LE(newIndex.get(entry.readUInt32LE(FIELD.info)) ?? 0, FIELD.info)
    if (section === names) entry.writeBigUInt64LE(BigInt(namesAt), FIELD.offset)
    return entry
  })

  const result = Buffer.concat([content, beforeNames, nameBytes, beforeTable, ...table])
  result.writeBigUInt64LE(BigInt(namesAt + nameBytes.length + beforeTable.length), TABLE_AT)
  result.writeUInt16LE(kept.length, COUNT_AT)
  result.writeUInt16LE(newIndex.get(names.index) ?? 0, NAMES_AT)
  return result
}
