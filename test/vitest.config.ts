/** One runner for every kind of test; sources are loaded directly, not their build. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['sallyport-source'] },
  ssr: { resolve: { conditions: ['sallyport-source'] } },
  test: {
    root: import.meta.dirname,
    include: ['{unit,architecture,conformance,fuzz,e2e}/**/*.test.ts'],
    testTimeout: 20_000,
    pool: 'threads',
  },
})
