import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'launcher-'))
  mkdirSync(join(folder, 'bin'))
  for (const name of ['sallyport.mjs', 'right-node.mjs']) {
    copyFileSync(new URL(`../../../../daemon/bin/${name}`, import.meta.url), join(folder, 'bin', name))
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const launch = (words: readonly string[], before: readonly string[] = []) =>
  spawnSync(process.execPath, [...before, join(folder, 'bin', 'sallyport.mjs'), ...words], { encoding: 'utf8' })

const program = (text: string) => {
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist', 'sallyport.cjs'), text)
}

/** Makes the launcher believe that it runs on an old Node. */
const onOldNode = () => {
  const file = join(folder, 'old.cjs')
  writeFileSync(file, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })")
  return ['--require', file]
}

test('a tree that was not built says what to run', () => {
  const { status, stderr } = launch(['status'])
  expect(status).toBe(1)
  expect(stderr).toMatch(/npm run build/)
})

test('on a new Node the program runs here, with its words and exit code', () => {
  program('console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 5')
  const { status, stdout } = launch(['call', 'X', '{"a b":1}'])
  expect([status, JSON.parse(stdout)]).toEqual([5, ['call', 'X', '{"a b":1}']])
})

test('on an old Node without the one that npm brings, says what to run', () => {
  program('')
  const { status, stderr } = launch(['status'], onOldNode())
  expect(status).toBe(1)
  expect(stderr).toMatch(/Node 20\.20\.2 is too old.*npm ci --include=optional/)
})

test.runIf(process.platform === 'linux')('on an old Node the program runs on the one that npm brought, its exit code kept', () => {
  program('console.log(process.versions.node, process.argv.slice(2).join()); process.exit(4)')
  const name = `node-linux-${process.arch}`
  const installed = join(folder, 'node_modules', name)
  mkdirSync(join(installed, 'bin'), { recursive: true })
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name, version: '26.10.0' }))
  writeFileSync(join(installed, 'bin', 'node'), `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} "$@"\n`, { mode: 0o755 })
  const { status, stdout } = launch(['a', 'b'], onOldNode())
  expect([status, stdout.trim()]).toEqual([4, `${process.versions.node} a,b`])
})
