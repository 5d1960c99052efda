/** Every input that the fuzzer kept, run again. */
import { expect, test } from 'vitest'
import { readCorpus } from '#test/fuzz/guided/corpus.ts'
import type { Target } from '#test/fuzz/guided/target.ts'
import { entryOf, TARGETS } from '#test/fuzz/guided/targets.ts'

test.each(Object.keys(TARGETS))('%s', async (name) => {
  const { target } = (await import(entryOf(name))) as { readonly target: Target }
  const inputs = [...target.seeds.map((seed) => Buffer.from(seed)), ...readCorpus(name)]
  expect(inputs.length).toBeGreaterThan(target.seeds.length)
  try {
    for (const input of inputs) target.run(input)
  } finally {
    target.close?.()
  }
})
