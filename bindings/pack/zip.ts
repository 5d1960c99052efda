/** Writes ZIP archives: deflated, and of one date, so that the same files make the same archive. */
import { crc32, deflateRawSync } from 'node:zlib'
import type { Files } from './files.ts'

/** 1 January 1980, the first date of a ZIP. */
const DATE = 0x21
const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
const DEFLATED = 8

/** Header fields of an entry that the local and the central header share. */
function fields(name: Buffer, data: Buffer, packed: Buffer): Buffer {
  const bytes = Buffer.alloc(26)
  bytes.writeUInt16LE(VERSION, 0)
  bytes.writeUInt16LE(FLAGS, 2)
  bytes.writeUInt16LE(DEFLATED, 4)
  bytes.writeUInt16LE(DATE, 8)
  bytes.writeUInt32LE(crc32(data), 10)
  bytes.writeUInt32LE(packed.length, 14)
  bytes.writeUInt32LE(data.length, 18)
  bytes.writeUInt16LE(name.length, 22)
  return bytes
}

/** The archive; entries have the order of the map. */
export function zip(files: Files): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, data] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(data, { level: 9 })
    const shared = fields(name, data, packed)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, name, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, place, name]))
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
