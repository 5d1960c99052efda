/** The guide lists the exit codes as they are. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { EXIT_MEANINGS } from '#daemon/src/cli/exit-meanings.ts'

const GUIDE = new URL('../../../../daemon/docs/guides/install.md', import.meta.url)

test('the table of exit codes is that of the guide', () => {
  const [, table = ''] = readFileSync(GUIDE, 'utf8').split('| Exit code | Means |\n|---|---|\n')
  const rows = [...table.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [Number(code), meaning])
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[]
  expect(rows.slice(0, names.length)).toEqual(names.map((name) => [EXIT[name], EXIT_MEANINGS[name]]))
})
