import { expect, test } from 'vitest'
import { complaints, lives, type Sample, sample, slopeOf, TOLERANCE } from '../../soak/vitals.ts'

const MIB = 1_048_576
const process = (pid: number, rss: readonly number[], descriptors: (at: number) => number = () => 20): Sample[] =>
  rss.map((mib, at) => ({ pid, step: at, rss: mib * MIB, descriptors: descriptors(at) }))
const steady = Array.from({ length: 30 }, (_, at) => 90 + (at % 5))
const judged = (samples: readonly Sample[]): readonly string[] => complaints(lives(samples, TOLERANCE), TOLERANCE)

test('the slope of a line is its slope, that of noise is about none', () => {
  expect(slopeOf([1, 3, 5, 7])).toBeCloseTo(2)
  expect(slopeOf([4])).toBe(0)
  expect(Math.abs(slopeOf(steady))).toBeLessThan(0.1)
})

test('a process that settles and stays is flat, any it took to start', () => {
  expect(judged([...process(1, [50, 70, 85, ...steady]), ...process(2, [40, 60, 80, ...steady])])).toEqual([])
})

test('a steady growth, a jump, and files that are never closed are reported', () => {
  const growing = steady.map((mib, at) => mib + at)
  expect(judged(process(1, growing))).toEqual([expect.stringMatching(/process 1 grows by 1\.[01] MiB/)])
  expect(judged(process(1, [...steady, 200, 90]))).toEqual([expect.stringMatching(/from 93\.0 MiB to 200\.0 MiB/)])
  expect(judged(process(1, steady, (at) => 20 + at))).toEqual([expect.stringMatching(/from 23 to 49 open files/)])
})

test('a growth that ends while code is still compiled is none, a slow one that goes on is reported', () => {
  const warming = [...Array.from({ length: 10 }, (_, at) => 80 + at), ...steady]
  expect(judged(process(1, warming))).toEqual([])
  const creeping = steady.map((_, at) => 90 + at / 2.5)
  expect(judged(process(1, creeping))).toEqual([expect.stringMatching(/grows by 0\.4 MiB/)])
})

test('a process with too few samples is not judged by its slope, one with none settled not at all', () => {
  expect(judged(process(1, [50, 60, 70, 90, 92, 94]))).toEqual([])
  expect(lives(process(1, [50, 60]), TOLERANCE)).toEqual([])
})

test.skipIf(globalThis.process.platform !== 'linux')('samples a process that runs', () => {
  const own = sample(globalThis.process.pid, 3)
  expect(own.rss).toBeGreaterThan(MIB)
  expect(own.descriptors).toBeGreaterThan(2)
})
