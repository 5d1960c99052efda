/** The fuzzer itself: counters change nothing that the code does, and lead to what chance does not find. */
import { expect, test } from 'vitest'
import { fuzz } from '#test/fuzz/guided/engine.ts'
import { instrument } from '#test/fuzz/guided/instrument.ts'
import type { Target } from '#test/fuzz/guided/target.ts'

const SOURCE = `
// A comment before the first statement.
const short = 3
export function sample(values, { short: other = short, ...rest } = { short }) {
  const found = []
  for (const value of values) if (value === null) continue
    else if ((value, typeof value) === 'number') found.push(value > other ? value : value === 1 && -value)
    else { const each = { value, short }; found.push(each?.value ?? 'none') }
  try { if (found.length >= 9) throw new Error('many') } catch { found.length = 0 }
  switch (found.length) { case 0: return 'none'; default: return found.map((one) => ({ one })) }
}
`

async function sampleOf(code: string): Promise<(values: readonly unknown[]) => unknown> {
  const { sample } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly sample: (values: readonly unknown[]) => unknown
  }
  return sample
}

/** Its bytes must be these, one after the other. */
const WORD = 'key!'
const planted = async (): Promise<Target> => {
  const { code } = instrument(
    `export const check = (text) => { if (text.slice(2, 6) === ${JSON.stringify(WORD)}) { if (text.length === 9) throw new Error('found') } }`,
    { branch: 0, comparison: 0 },
  )
  const { check } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { readonly check: (text: string) => void }
  return { seeds: ['seed text'], run: (bytes) => check(bytes.toString('latin1')) }
}
const found = async (isGuided: boolean) => {
  const plan = { seed: 1, isGuided, corpus: [], goesOn: (inputs: number) => inputs < 20_000 }
  return (await fuzz(planted, plan)).finding?.error.message
}

test('instrumented code does what it did', async () => {
  await found(true)
  const { code, branches, comparisons } = instrument(SOURCE, { branch: 0, comparison: 0 })
  expect([branches, comparisons]).toEqual([15, 5])
  const [plain, counted] = [await sampleOf(SOURCE), await sampleOf(code)]
  for (const values of [[], [null], [1, 2, 5], ['a', 1, undefined], Array.from({ length: 12 }, (_, index) => index)])
    expect(counted(values)).toEqual(plain(values))
})

test('guidance finds what chance does not', async () => {
  expect(await found(true)).toBe('found')
  expect(await found(false)).toBeUndefined()
})
