/** How the daemon is started from a clone: no process between it and its starter ends alone. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ended, isAlive, killIfAlive } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment, type Folders, folders, type Ready } from './support/daemon.ts'
import { copyProgram, programMade } from './support/program.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const MODULES = join(ROOT, 'node_modules')

/** A Node of this machine that cannot become another program, as Node 20. */
function findOldNode(): string | undefined {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  return found.find((node) => existsSync(node) && spawnSync(node, ['-p', 'typeof process.execve']).stdout.toString().trim() === 'undefined')
}
const OLD_NODE = findOldNode()
const hasNpm = spawnSync('npm', ['--version']).status === 0

let at: Folders
let clone: string
const open: ChildProcess[] = []
/** Those that a failed test left. */
const daemons: number[] = []
beforeEach(async () => {
  await programMade()
  at = await folders()
  clone = join(at.base, 'clone')
  copyProgram(join(clone, 'dist'))
  mkdirSync(join(clone, 'bin'))
  for (const name of readdirSync(join(ROOT, 'daemon', 'bin'))) copyFileSync(join(ROOT, 'daemon', 'bin', name), join(clone, 'bin', name))
  symlinkSync(MODULES, join(clone, 'node_modules'))
})
afterEach(async () => {
  daemons.splice(0).forEach(killIfAlive)
  for (const child of open.splice(0)) {
    child.kill('SIGKILL')
    await ended(child)
  }
  await at.remove()
})

const LAUNCHER = (): string => join(clone, 'bin', 'sallyport.mjs')
const runWords = (): readonly string[] => ['run', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data]

/** Resolves with the line of the daemon, below this process. */
async function started(command: string, words: readonly string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  // npm writes its log into the home, which the daemon would refuse as its data folder.
  const env = { ...cleanEnvironment(), HOME: at.base, SALLYPORT_VAULT: 'file' }
  const child = spawn(command, words, { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] })
  open.push(child)
  let out = ''
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const ready = await new Promise<Ready>((take, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const line = /^\{.*\}$/m.exec(out)?.[0]
      if (line !== undefined) take(JSON.parse(line) as Ready)
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${err}`)))
  })
  daemons.push(ready.pid)
  return { child, ready }
}

const isRefused = (path: string): Promise<boolean> =>
  new Promise((take) => {
    const socket = connect(path, () => {
      socket.destroy()
      take(false)
    }).once('error', () => take(true))
  })

/** A second, on a machine that may be busy. */
async function expectFreed({ pid, ipc: [socket = ''] }: Ready): Promise<void> {
  // The first thread of a process is gone before the others, which have the socket too.
  await vi.waitFor(async () => expect([isAlive(pid), await isRefused(socket)]).toEqual([false, true]), SOON)
}

describe.skipIf(process.platform !== 'linux')('a clone', () => {
  test('on this Node: the launcher is the daemon, and its end frees the socket', async () => {
    const { child, ready } = await started(process.execPath, [LAUNCHER(), ...runWords()])
    expect(ready.pid).toBe(child.pid)
    child.kill('SIGKILL')
    await expectFreed(ready)
  })

  describe.skipIf(OLD_NODE === undefined)('on a Node that cannot become another program (needs one on the path)', () => {
    test('the end of the launcher ends the daemon', async () => {
      const { child, ready } = await started(OLD_NODE ?? '', [LAUNCHER(), ...runWords()])
      expect(ready.pid).not.toBe(child.pid)
      child.kill('SIGKILL')
      await expectFreed(ready)
    })
    test('the end of the daemon ends the launcher, with its code', async () => {
      const { child, ready } = await started(OLD_NODE ?? '', [LAUNCHER(), ...runWords()])
      process.kill(ready.pid, 'SIGKILL')
      expect(await ended(child)).toBe(128 + 9)
    })
    test('a command ends as usual', () => {
      expect(execFileSync(OLD_NODE ?? '', [LAUNCHER(), 'version'], { encoding: 'utf8' })).toMatch(/\d+\.\d+\.\d+/)
    })
  })

  describe.skipIf(!hasNpm).each([['this Node', process.execPath], ...(OLD_NODE === undefined ? [] : [['an old Node', OLD_NODE]])])(
    'started by npm, on %s',
    (_, node = '') => {
      test('the end of npm ends the daemon', async () => {
        const line = [node, LAUNCHER(), ...runWords()].map((word) => `'${word}'`).join(' ')
        writeFileSync(join(clone, 'package.json'), JSON.stringify({ name: 'clone', version: '1.0.0', scripts: { start: line } }))
        const npm = join(dirname(OLD_NODE ?? process.execPath), 'npm')
        const { child, ready } = await started(existsSync(npm) ? npm : 'npm', ['start', '--silent'])
        expect(ready.pid).not.toBe(child.pid)
        child.kill('SIGKILL')
        await expectFreed(ready)
      })
    },
  )
})
