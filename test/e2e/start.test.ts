/** What a start loads before its ready line. Every login and the first connection of every game pay for each module here. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanEnvironment } from './support/daemon.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const REPORT = 3

interface Loaded {
  readonly files: readonly string[]
  readonly builtins: readonly string[]
}

let folder: string
let loaded: Loaded

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sp-'))
  const words = ['run', '--json', '--platform', 'discord', '--bridge-port', 'off', '--vault', 'file']
  const places = ['--runtime-dir', join(folder, 'run'), '--data-dir', join(folder, 'data')]
  const hook = join(ROOT, 'test/e2e/support/modules-at-start.mjs')
  const flags = ['--conditions=sallyport-source', '--disable-warning=ExperimentalWarning', '--import', hook]
  const child = spawn(process.execPath, [...flags, join(ROOT, 'daemon/src/main.ts'), ...words, ...places], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const exited = once(child, 'exit')
  const report = child.stdio[REPORT] as Readable
  const reported = text(report)
  await once(report, 'readable')
  child.kill('SIGTERM')
  loaded = JSON.parse(await reported) as Loaded
  expect(await exited).toEqual([0, null])
})
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }))

const FOLDERS = ['daemon/core/src', 'daemon/sandbox/src/addresses.ts', 'daemon/src', 'protocol/src']

test('only sources of our own, and no package', () => {
  expect(loaded.files.filter((file) => !FOLDERS.some((part) => file.startsWith(part)))).toEqual([])
})

const { modules, builtins } = JSON.parse(readFileSync(join(ROOT, 'test/architecture/start.reviewed.json'), 'utf8')) as {
  readonly modules: readonly string[]
  readonly builtins: readonly string[]
}

// Who adds to these lists measures first what it costs: `npm run bench -- start`.
test('the modules of the reviewed list, no others', () => {
  expect(loaded.files).toEqual(modules)
})

test('the builtin modules of the reviewed list, no others', () => {
  // Node's server loads cluster and what that needs; the hook of this test loads worker_threads.
  expect(loaded.builtins).toEqual(builtins)
})
