/** The random numbers of the process, from the seed. */
import crypto, { createHash } from 'node:crypto'
import { below, fill } from './random.ts'
import type { Machine } from './machine.ts'

type Done<T> = (failure: Error | null, result: T) => void

const ALGORITHMS: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' }

const VERSION_4 = 0x40
const VARIANT = 0x80

/** Replaces Math.random and the generators of node:crypto and of the web's crypto; and its digest, whose end the system decides. */
export function replaceRandomness(machine: () => Machine): void {
  const random = (): number => machine().random()
  const filled = <Bytes extends NodeJS.ArrayBufferView>(bytes: Bytes): Bytes => {
    fill(random, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return bytes
  }
  const later = <T>(done: Done<T> | undefined, result: T): T => {
    if (done !== undefined) setImmediate(() => done(null, result))
    return result
  }
  const randomUUID = (): ReturnType<typeof crypto.randomUUID> => {
    const bytes = filled(Buffer.alloc(16))
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | VERSION_4, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | VARIANT, 8)
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
  Math.random = random
  Object.assign(crypto, {
    randomBytes: (size: number, done?: Done<Buffer>) => later(done, filled(Buffer.alloc(size))),
    // Only ws asks for these: masks, from a pool that outlives a run. With zeros, a run does not depend on the runs before it.
    randomFillSync: (bytes: Buffer, offset = 0, size = bytes.length - offset) => {
      bytes.fill(0, offset, offset + size)
      return bytes
    },
    randomFill: (bytes: Buffer, done: Done<Buffer>) => later(done, filled(bytes)),
    randomInt: (from: number, to?: number) => (to === undefined ? below(random, from) : from + below(random, to - from)),
    randomUUID,
  })
  const web = Object.getPrototypeOf(globalThis.crypto) as Crypto
  Object.defineProperty(web, 'getRandomValues', { value: filled })
  Object.defineProperty(web, 'randomUUID', { value: randomUUID })
  const subtle = Object.getPrototypeOf(globalThis.crypto.subtle) as SubtleCrypto
  Object.defineProperty(subtle, 'digest', {
    value: async (algorithm: string | { readonly name: string }, data: Uint8Array) => {
      const name = ALGORITHMS[typeof algorithm === 'string' ? algorithm : algorithm.name]
      if (name === undefined) throw new Error('the simulation has no such digest')
      const digest = createHash(name).update(data).digest()
      return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.length)
    },
  })
}
