/** A ZIP whose files are not compressed, for programs that load one. */
import { crc32 } from 'node:zlib'

const numbers = (...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer =>
  Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes)
      field.writeUIntLE(value, 0, bytes)
      return field
    }),
  )

const LOCAL = 0x04034b50
const ENTRY = 0x02014b50
const END = 0x06054b50
const VERSION = 20

/** The fields that the header of a file and its entry in the directory share: flags, method and time are 0. */
const common = (name: string, data: Buffer): Buffer =>
  numbers([VERSION, 2], [0, 2], [0, 2], [0, 4], [crc32(data), 4], [data.length, 4], [data.length, 4], [Buffer.byteLength(name), 2], [0, 2])

export function storedZip(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, data] of files) {
    const local = Buffer.concat([numbers([LOCAL, 4]), common(name, data), Buffer.from(name), data])
    directory.push(
      numbers([ENTRY, 4], [VERSION, 2]),
      common(name, data),
      numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
      Buffer.from(name),
    )
    parts.push(local)
    at += local.length
  }
  const entries = Buffer.concat(directory)
  const end = numbers([END, 4], [0, 4], [files.size, 2], [files.size, 2], [entries.length, 4], [at, 4], [0, 2])
  return Buffer.concat([...parts, entries, end])
}
