/** Generated files contain what the tables contain now, in lines that can be read. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { generateBindings } from '../../protocol/codegen/generate.ts'
import { ROOT } from './source-tree.ts'

const run = promisify(execFile)
const REFERENCE = 'protocol/generated/reference'
const LONGEST_LINE = 160

const pages = (): readonly string[] => [
  'test/coverage/coverage.md',
  'daemon/docs/event-providers.md',
  'daemon/docs/budgets.md',
  'daemon/docs/log-events.md',
  'daemon/docs/metrics.md',
  ...readdirSync(join(ROOT, REFERENCE), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(REFERENCE, name)),
]

describe('generated files', () => {
  it.each(['protocol/codegen/main.ts', 'test/coverage/main.ts'])('equal what %s makes from the tables', async (generator) => {
    const outcome = await run(process.execPath, [generator, '--check'], { cwd: ROOT }).then(
      () => 'the same',
      (failure: unknown) => String(failure),
    )
    expect(outcome).toBe('the same')
  })

  it('are marked as generated, so that a review shows what was written', () => {
    const marked = readFileSync(join(ROOT, '.gitattributes'), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith(' linguist-generated=true'))
      .map((line) => line.split(' ')[0] ?? '')
    const isMarked = (path: string): boolean =>
      marked.some((one) => path === one || (one.endsWith('/**') && path.startsWith(one.slice(0, -2))))
    const bindings = Object.entries(generateBindings()).flatMap(([folder, files]) => Object.keys(files).map((name) => `${folder}/${name}`))
    expect(bindings.length).toBeGreaterThan(10)
    expect([...bindings, ...pages()].filter((path) => !isMarked(path))).toEqual([])
    expect(marked.filter((one) => !existsSync(join(ROOT, one.replace('/**', ''))))).toEqual([])
  })

  it(`have at most ${LONGEST_LINE} columns in pages`, () => {
    expect(pages().length).toBeGreaterThan(50)
    const long = pages().filter((page) =>
      readFileSync(join(ROOT, page), 'utf8')
        .split('\n')
        .some((line) => line.length > LONGEST_LINE),
    )
    expect(long).toEqual([])
  })
})
