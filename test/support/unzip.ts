/** Reads ZIP archives, by their directory. */
import { crc32, inflateRawSync } from 'node:zlib'

const [CRC, PACKED, NAME, OFFSET, HEADER] = [16, 20, 28, 42, 46]

/** The files of a ZIP. Throws when one has another checksum, or is not where the directory says. */
export function unzipped(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06'))
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameBytes = bytes.readUInt16LE(at + NAME)
    const name = bytes.toString('utf8', at + HEADER, at + HEADER + nameBytes)
    const local = bytes.readUInt32LE(at + OFFSET)
    if (bytes.toString('latin1', local, local + 4) !== 'PK\x03\x04') throw new Error(`${name} is not where the directory says`)
    const from = local + 30 + bytes.readUInt16LE(local + 26)
    const data = inflateRawSync(bytes.subarray(from, from + bytes.readUInt32LE(at + PACKED)))
    if (crc32(data) !== bytes.readUInt32LE(at + CRC)) throw new Error(`${name} has another checksum`)
    files.set(name, data)
    at += HEADER + nameBytes
  }
  return files
}
