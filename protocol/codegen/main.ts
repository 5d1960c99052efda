/** `node protocol/codegen/main.ts` writes protocol/generated; with `--check` it only compares, and fails when a file differs. */
import { join, relative } from 'node:path'
import { differences, generate, write } from './generate.ts'

const directory = join(import.meta.dirname, '..', 'generated')
const isCheck = process.argv.includes('--check')
const changed = isCheck ? await differences(generate(), directory) : await write(generate(), directory)

for (const path of changed) process.stderr.write(`${isCheck ? 'differs' : 'wrote'}: ${relative(process.cwd(), path)}\n`)
if (isCheck && changed.length > 0) {
  process.stderr.write('Run `npm run codegen` and commit what it writes.\n')
  process.exitCode = 1
}
