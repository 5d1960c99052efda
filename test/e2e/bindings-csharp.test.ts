/** The generated types for C#: they compile as C# 7, which every supported engine has, and read parsed JSON without reflection. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ERRORS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { isInstalled } from '../support/c-build.ts'

const run = promisify(execFile)
const BINDING = resolve(import.meta.dirname, '../../bindings/csharp')

const sources = (): readonly string[] =>
  ['', 'Generated', 'tests'].flatMap((folder) =>
    readdirSync(join(BINDING, folder))
      .filter((name) => name.endsWith('.cs'))
      .map((name) => join(BINDING, folder, name)),
  )

test('the types for C# compile and read records', async (context) => {
  if (!(await isInstalled('mcs')) || !(await isInstalled('mono')))
    return context.skip('There is no mcs or no mono; install mono-mcs and mono-runtime.')
  const folder = await mkdtemp(join(tmpdir(), 'sps-'))
  try {
    const program = join(folder, 'reads.exe')
    await run('mcs', ['-langversion:7', '-warnaserror', `-out:${program}`, ...sources()])
    expect((await run('mono', [program])).stdout.trim().split('\n')).toEqual([
      '18446744073709551615 8 ahoy 1 0',
      'ada True pier',
      'True True True',
      `SET_ACTIVITY ${ERRORS.INVALID_TOKEN.code} 1.0 provisional`,
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the types for C# use no reflection', () => {
  const text = sources()
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  expect(text).not.toMatch(/System\.Reflection|typeof\(|GetType\(|dynamic /)
})
