/** One runner for every kind of test; sources are loaded directly, not their build. */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { bundleDashboardPage } from '#daemon/packaging/dashboard-page.ts'
import { STATEMENTS } from './coverage/index.ts'
import { SOON } from '#test/support/soon.ts'

export default defineConfig({
  resolve: { conditions: ['sallyport-source'] },
  define: (await bundleDashboardPage()).constants,
  ssr: { resolve: { conditions: ['sallyport-source'] } },
  test: {
    root: import.meta.dirname,
    globalSetup: ['./left-behind.ts'],
    // Nothing is measured by these: they end what hangs, on a machine that may be busy with much else.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: SOON },
    // A test carries the ids of the lines of the coverage ledger that it proves. Another tag fails.
    tags: STATEMENTS.map(({ id }) => ({ name: id })),
    pool: 'threads',
    allowOnly: false,
    projects: [
      // Their modules hold no state, so one load of the tables serves every file of a worker.
      { extends: true, test: { name: 'fast', include: ['{unit,architecture,conformance,fuzz}/**/*.test.ts'], isolate: false } },
      // They wait for other programs much of the time, so one more of them than there are cores keeps the cores busy. Processes, because a program
      // that one thread starts has the files and sockets that another has just opened, until it runs: ports and executables are then busy.
      {
        extends: true,
        test: {
          name: 'e2e',
          pool: 'forks',
          include: ['e2e/**/*.test.ts'],
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
