/** Streams of random numbers of one seed. Each part has its own, so that one more number here changes nothing there. */
import { createHash } from 'node:crypto'
import { seededRandom } from '../../e2e/support/seeded-random.ts'

export type Random = () => number

/** The stream with this name of a seed: numbers in [0, 1). */
export const streamOf = (seed: number, name: string): Random =>
  seededRandom(createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE(0))

export const below = (random: Random, end: number): number => Math.floor(random() * end)

/** One of them; there must be one. */
export function pick<T>(random: Random, from: readonly T[]): T {
  if (from.length === 0) throw new Error('there is nothing to choose from')
  return from[below(random, from.length)] as T
}

/** Fills the bytes. */
export function fill(random: Random, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) bytes[at] = below(random, 256)
}
