/** One runner for every kind of test; sources are loaded directly, not their build. */
import { defineConfig } from 'vitest/config'
import { SOON } from './support/soon.ts'

export default defineConfig({
  resolve: { conditions: ['sallyport-source'] },
  ssr: { resolve: { conditions: ['sallyport-source'] } },
  test: {
    root: import.meta.dirname,
    include: ['{unit,architecture,conformance,fuzz,e2e}/**/*.test.ts'],
    globalSetup: ['./left-behind.ts'],
    // Nothing is measured by these: they end what hangs, on a machine that may be busy with much else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: SOON },
    pool: 'threads',
  },
})
