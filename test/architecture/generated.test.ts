/** What is generated from the tables is what the tables say now. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ROOT } from './source-tree.ts'

const run = promisify(execFile)

describe('generated files', () => {
  it('equal what the code generator makes from the tables', async () => {
    const outcome = await run(process.execPath, ['protocol/codegen/main.ts', '--check'], { cwd: ROOT }).then(
      () => 'the same',
      (failure: unknown) => String(failure),
    )
    expect(outcome).toBe('the same')
  })
})
