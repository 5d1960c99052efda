/** Each defence of the threat model names a test, and that test exists under that name. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source-tree.ts'

const DEFENCE = /\| `((?:e2e|unit|architecture|fuzz)\/[\w/-]+)` "([^"]+)" \|$/
const page = readFileSync(join(ROOT, 'daemon/docs/threat-model.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:Attack|Name|---)/.test(line))
const defences = rows.slice(rows.findIndex((line) => DEFENCE.test(line)))

/** The test file itself, or those that begin with its name. */
function textOf(name: string): string {
  const path = join(ROOT, 'test', name)
  const files = readdirSync(dirname(path)).filter((file) => join(dirname(path), file) === `${path}.test.ts`)
  return files.map((file) => readFileSync(join(dirname(path), file), 'utf8')).join('\n')
}

test('the page has defences', () => {
  expect(defences.length).toBeGreaterThan(30)
})

test.each(defences.map((line) => [line]))('%s', (line) => {
  const [, file = '', name = ''] = DEFENCE.exec(line) ?? []
  expect(file, 'the last column names a file and a test in it').not.toBe('')
  expect(textOf(file), `${file} has a test that says "${name}"`).toContain(name)
})
