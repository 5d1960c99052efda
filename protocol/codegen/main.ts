/** `node protocol/codegen/main.ts` writes protocol/generated and protocol/docs; `--check` only compares, and fails if a file differs. */
import { join, relative } from 'node:path'
import { differences, generate, generateDocs, write } from './generate.ts'

const PARTS = [
  { directory: 'generated', files: generate() },
  { directory: 'docs', files: generateDocs() },
]
const isCheck = process.argv.includes('--check')
const processFiles = isCheck ? differences : write
const changed = (
  await Promise.all(PARTS.map(({ directory, files }) => processFiles(files, join(import.meta.dirname, '..', directory))))
).flat()

for (const path of changed) process.stderr.write(`${isCheck ? 'differs' : 'wrote'}: ${relative(process.cwd(), path)}\n`)
if (isCheck && changed.length > 0) {
  process.stderr.write('Run `npm run codegen` and commit the changes.\n')
  process.exitCode = 1
}
