/** Makes an input from others: changed bytes, parts moved, known words, and values that the code compared with those of the input. */
import type { Pair } from './coverage.ts'

export interface Random {
  /** From 0 to `end` - 1. */
  below(end: number): number
}

export interface Parent {
  readonly bytes: Buffer
  /** What the code compared when it ran. */
  readonly pairs: readonly Pair[]
}

export const MAX_BYTES = 1024
const NOISE_BYTES = 64
const MOST_CHANGES = 4
const MOVED_BYTES = 32
const NOTHING = Buffer.alloc(0)
/** Numbers at which code often branches. */
const EDGES = [0, 1, 2, 7, 8, 9, 15, 16, 31, 32, 63, 64, 100, 127, 128, 129, 254, 255] as const
const VALUE = /"[^"]*"|-?\d+(?:\.\d+)?|true|false|null/g

interface Given {
  readonly random: Random
  readonly words: readonly Buffer[]
  readonly other: Buffer
  readonly pairs: readonly Pair[]
}

type Change = (bytes: Buffer, given: Given) => Buffer

const splice = (bytes: Buffer, at: number, removed: number, added: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])

const oneOf = <One>(list: readonly One[], random: Random): One | undefined => list[random.below(list.length)]

function part(bytes: Buffer, random: Random): readonly [from: number, length: number] {
  const from = random.below(bytes.length + 1)
  return [from, random.below(Math.min(bytes.length - from, MOVED_BYTES) + 1)]
}

const withByte =
  (changed: (byte: number, random: Random) => number): Change =>
  (bytes, { random }) => {
    const at = random.below(bytes.length)
    return bytes.length === 0 ? bytes : splice(bytes, at, 1, Buffer.of(changed(bytes[at] ?? 0, random)))
  }

function wide(value: number): readonly Buffer[] {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) return []
  const little = Buffer.alloc(4)
  little.writeUInt32LE(value)
  const big = Buffer.alloc(4)
  big.writeUInt32BE(value)
  return [little, big, little.subarray(0, 2), little.subarray(0, 1)]
}

/** How an input may hold a value. The forms of two numbers, or of two texts, belong together by their places. */
const formsOf = (value: string | number): readonly Buffer[] =>
  typeof value === 'string' ? [Buffer.from(JSON.stringify(value)), Buffer.from(value)] : [Buffer.from(String(value)), ...wide(value)]

/** Puts one operand of a comparison in the place of the other. */
const asCompared: Change = (bytes, { random, pairs }) => {
  const pair = oneOf(pairs, random)
  if (pair === undefined) return bytes
  const [held, wanted] = random.below(2) === 0 ? pair : [pair[1], pair[0]]
  const near = typeof wanted === 'number' ? wanted + random.below(3) - 1 : wanted
  const forms = formsOf(held)
  const form = random.below(Math.max(forms.length, 1))
  const [from = NOTHING, to = NOTHING] = [forms[form], formsOf(random.below(2) === 0 ? near : wanted)[form]]
  const places: number[] = []
  for (let at = bytes.indexOf(from); at >= 0 && from.length > 0; at = bytes.indexOf(from, at + 1)) places.push(at)
  const place = oneOf(places, random)
  return place === undefined ? bytes : splice(bytes, place, from.length, to)
}

const CHANGES: readonly Change[] = [
  asCompared,
  asCompared,
  asCompared,
  withByte((byte, random) => byte ^ (1 << random.below(8))),
  withByte((_, random) => random.below(256)),
  withByte((_, random) => oneOf(EDGES, random) ?? 0),
  (bytes, { random }) => splice(bytes, ...part(bytes, random), NOTHING),
  (bytes, { random }) => splice(bytes, random.below(bytes.length + 1), 0, Buffer.of(random.below(256))),
  (bytes, { random }) => {
    const [from, length] = part(bytes, random)
    return splice(bytes, random.below(bytes.length + 1), 0, bytes.subarray(from, from + length))
  },
  (bytes, { random, words }) => splice(bytes, random.below(bytes.length + 1), 0, oneOf(words, random) ?? NOTHING),
  (bytes, { random, words }) => {
    const place = oneOf([...bytes.toString('latin1').matchAll(VALUE)], random)
    const word = oneOf(words, random)
    return place === undefined || word === undefined ? bytes : splice(bytes, place.index, place[0].length, word)
  },
  (bytes, { random, other }) => {
    const [from, length] = part(other, random)
    return splice(bytes, random.below(bytes.length + 1), 0, other.subarray(from, from + length))
  },
  (bytes, { random, other }) =>
    Buffer.concat([bytes.subarray(0, random.below(bytes.length + 1)), other.subarray(random.below(other.length + 1))]),
]

/** A few changes, one after the other. */
export function mutated({ bytes, pairs }: Parent, random: Random, words: readonly Buffer[], other: Buffer): Buffer {
  let next = bytes
  for (let count = 1 + random.below(MOST_CHANGES); count > 0; count--) {
    next = oneOf(CHANGES, random)?.(next, { random, words, other, pairs }) ?? next
  }
  return next.subarray(0, MAX_BYTES)
}

/** Bytes that nothing guides. */
export const noise = (random: Random): Buffer => Buffer.from(Array.from({ length: random.below(NOISE_BYTES) }, () => random.below(256)))
