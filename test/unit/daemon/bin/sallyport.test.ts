import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeFlags } from '#daemon/bin/node-flags.mjs'

let base: string
/** Of the package. */
let folder: string
function copyLauncher(): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  for (const name of ['sallyport.mjs', 'right-node.mjs', 'node-flags.mjs']) {
    copyFileSync(new URL(`../../../../daemon/bin/${name}`, import.meta.url), join(folder, 'bin', name))
  }
}
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'launcher-')))
  folder = base
  copyLauncher()
})
afterEach(() => rmSync(base, { recursive: true }))

const launch = (words: readonly string[], before: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, [...before, join(folder, 'bin', 'sallyport.mjs'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

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

test('a tree without a build prints the build command', () => {
  const { status, stderr } = launch(['status'])
  expect(status).toBe(1)
  expect(stderr).toMatch(/npm run build/)
})

test('on a new Node the program runs here, with its words and exit code', () => {
  program('console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 5')
  const { status, stdout } = launch(['call', 'X', '{"a b":1}'])
  expect([status, JSON.parse(stdout)]).toEqual([5, ['call', 'X', '{"a b":1}']])
})

test('the program runs with the hardening flags, and without variables that load code', () => {
  program('console.log(JSON.stringify([process.execArgv, process.env]))')
  const planted = {
    NODE_OPTIONS: '--no-deprecation',
    NODE_PATH: folder,
    OPENSSL_CONF: join(folder, 'none'),
    OPENSSL_MODULES: folder,
    MARK: 'kept',
  }
  const { stdout } = launch(['status'], [], planted)
  const [flags, env] = JSON.parse(stdout) as [string[], Record<string, string>]
  expect(flags).toEqual(nodeFlags(process.platform))
  expect(flags).toContain('--disable-sigusr1')
  expect(Object.keys(env).filter((name) => name !== 'MARK' && name in planted)).toEqual([])
  expect(env).toMatchObject({ MARK: 'kept', NODE_COMPILE_CACHE: join(folder, 'dist', '.compile-cache') })
})

test.skipIf(process.platform === 'win32')(
  'the program takes the place of the launcher: no process stays between it and who started it',
  () => {
    program('console.log(process.ppid, process.pid)')
    const { stdout, pid } = launch(['status'])
    expect(stdout.trim()).toBe(`${process.pid} ${pid}`)
  },
)

test.runIf(process.platform === 'linux')('the program inherits the descriptors of a service manager', () => {
  program(`console.log(require('node:fs').readFileSync(3, 'utf8'))`)
  const handed = join(folder, 'handed')
  writeFileSync(handed, 'handed over')
  // The shell learns its own pid, which exec keeps.
  const exec = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3< "$0"'
  const words = ['-c', exec, handed, process.execPath, join(folder, 'bin', 'sallyport.mjs')]
  expect(spawnSync('/bin/sh', words, { encoding: 'utf8' })).toMatchObject({ stdout: 'handed over\n', stderr: '' })
})

test('a program that is not the bridge runs with the flags of the process that was started, on the sources', () => {
  const other = join(folder, 'other.mjs')
  writeFileSync(other, 'console.log(JSON.stringify([process.execArgv, process.argv.slice(2), process.env.NODE_PATH]))')
  const runner = join(folder, 'bin', 'runner.mjs')
  writeFileSync(runner, `import { runOnRightNode } from './right-node.mjs'; await runOnRightNode(${JSON.stringify(other)}, ['a'])`)
  const { stdout } = spawnSync(process.execPath, ['--no-deprecation', runner], {
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: folder },
  })
  expect(JSON.parse(stdout)).toEqual([['--no-deprecation', '--conditions=sallyport-source'], ['a'], folder])
})

test('on an old Node without the npm package of Node, prints the install command', () => {
  program('')
  const { status, stderr } = launch(['status'], onOldNode())
  expect(status).toBe(1)
  expect(stderr).toMatch(/Node 20\.20\.2 is too old.*npm ci --include=optional/)
})

test('where npm installed it without that package, prints how to install it', () => {
  folder = join(base, 'node_modules', 'sallyport')
  copyLauncher()
  program('')
  expect(launch(['status'], onOldNode()).stderr).toMatch(/Run: npm install --include=optional sallyport$/m)
})

test('on a system that has no such package, asks for a newer Node', () => {
  program('')
  const other = join(folder, 'other.cjs')
  writeFileSync(other, "Object.defineProperty(process, 'arch', { value: 'mips' })")
  const { status, stderr } = launch(['status'], [...onOldNode(), '--require', other])
  expect(status).toBe(1)
  expect(stderr).toMatch(/Install Node 26\.4 or newer: npm has no package of it for \w+-mips\.$/m)
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
