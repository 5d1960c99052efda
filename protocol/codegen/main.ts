/** `node protocol/codegen/main.ts` writes the generated files of protocol and of the bindings; `--check` only compares, and fails if a file differs. */
import { join } from 'node:path'
import { runCodegen } from './files.ts'
import { generate, generateBindings, generateSources } from './generate.ts'

const at = (directory: string): string => join(import.meta.dirname, '../..', directory)

await runCodegen(
  [
    { directory: at('protocol/generated'), files: generate(), isComplete: true },
    { directory: at('protocol/src/generated'), files: generateSources(), isComplete: true },
    ...Object.entries(generateBindings()).map(([folder, files]) => ({ directory: at(folder), files, isComplete: false })),
  ],
  process.argv,
)
