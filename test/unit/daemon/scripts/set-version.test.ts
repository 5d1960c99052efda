/** The command that sets the version, in a copy of what names it. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { VERSION } from '@sallyport/core/version'
import { afterEach, beforeEach, expect, test } from 'vitest'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../../../..')
const SCRIPT = 'daemon/scripts/set-version.mjs'
const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly workspaces: readonly string[] }
const COPIED = [
  ...[
    SCRIPT,
    'package-lock.json',
    'daemon/core/src',
    'bindings/ts/src',
    'bindings/c',
    'bindings/cpp',
    'bindings/csharp/src',
    'bindings/lua/sallyport',
    'bindings/python',
    'bindings/engines/godot/addons',
    'bindings/engines/unity',
    'bindings/engines/unreal',
  ],
  ...['.', ...workspaces].map((folder) => join(folder, 'package.json')),
]

let copy: string
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'sp-version-'))
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
})
afterEach(() => rmSync(copy, { recursive: true, force: true }))

const set = (version: string) => run(process.execPath, [join(copy, SCRIPT), version])
/** Lines of the copy that have a text, without those of foreign packages and of games. */
const linesWith = (text: string): readonly string[] =>
  readdirSync(copy, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() && entry.name !== 'package-lock.json' && !path.includes('examples'))
    .flatMap(({ path }) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.includes(text))
        .map((line) => `${path}: ${line}`),
    )

test('names the version in every manifest, source and CMake file', async () => {
  const before = linesWith(VERSION)
  await set('7.8.9')
  expect(linesWith(VERSION)).toEqual([])
  expect(
    linesWith('7.8.9')
      .map((line) => line.replace('7.8.9', VERSION))
      .toSorted(),
  ).toEqual(before.toSorted())
  for (const path of ['bindings/c/CMakeLists.txt', 'bindings/cpp/CMakeLists.txt'])
    expect(readFileSync(join(copy, path), 'utf8')).toMatch(/^project\(\w+ VERSION 7\.8\.9 /m)
})

test('gives CMake the numbers only, and sets the version again after that', async () => {
  await set('7.8.9-rc.1')
  expect(readFileSync(join(copy, 'bindings/c/CMakeLists.txt'), 'utf8')).toMatch(/^project\(\w+ VERSION 7\.8\.9 /m)
  expect(readFileSync(join(copy, 'bindings/c/include/sallyport/sallyport.h'), 'utf8')).toContain('#define SALLYPORT_VERSION "7.8.9-rc.1"')
  await set('7.9.0')
  expect(linesWith('7.8.9')).toEqual([])
})

test('refuses what is no version', async () => {
  await expect(set('next')).rejects.toMatchObject({ stderr: expect.stringContaining('npm run set-version -- 1.2.3') })
  expect(linesWith('next"')).toEqual([])
})
