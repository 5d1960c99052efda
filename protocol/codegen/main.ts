/** `node protocol/codegen/main.ts` writes protocol/generated; `--check` only compares, and fails if a file differs. */
import { join } from 'node:path'
import { runCodegen } from './files.ts'
import { generate } from './generate.ts'

await runCodegen([{ directory: join(import.meta.dirname, '../generated'), files: generate(), isComplete: true }], process.argv)
