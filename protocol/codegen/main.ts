/** `node protocol/codegen/main.ts` writes protocol/generated and the generated files of bindings/c; `--check` only compares, and fails if a file differs. */
import { join } from 'node:path'
import { runCodegen } from './files.ts'
import { generate, generateC } from './generate.ts'

const at = (directory: string): string => join(import.meta.dirname, '../..', directory)

await runCodegen(
  [
    { directory: at('protocol/generated'), files: generate(), isComplete: true },
    { directory: at('bindings/c'), files: generateC(), isComplete: false },
  ],
  process.argv,
)
