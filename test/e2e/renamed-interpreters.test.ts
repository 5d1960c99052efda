/** Real interpreters under another name: the program that such a process runs is unknown, with each script. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { programFacts } from '#daemon/src/identity/linux-program.ts'
import { systemProc } from '#daemon/src/identity/proc.ts'
import { ended } from '#test/support/ended.ts'

interface Interpreter {
  readonly name: string
  /** Undefined where it is not installed. */
  readonly path: string | undefined
  /** Says that it runs, and waits for the end of its input. */
  readonly code: string
  readonly extension: string
  readonly env?: NodeJS.ProcessEnv
}

const installed = (name: string): string | undefined =>
  ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path))

/** The file and the library of the Python that runs as python3; undefined without one. */
function python(): { readonly path: string; readonly env: NodeJS.ProcessEnv } | undefined {
  const { status, stdout } = spawnSync('python3', ['-c', 'import os,sys;print(os.path.realpath(sys.executable));print(sys.prefix)'])
  const [path = '', prefix] = String(stdout).split('\n')
  return status === 0 && existsSync(path) ? { path, env: { PYTHONHOME: prefix } } : undefined
}
const ofPython = python()

const INTERPRETERS: readonly Interpreter[] = [
  { name: 'Node', path: process.execPath, extension: '.cjs', code: 'console.log(1);process.stdin.resume()' },
  { name: 'Perl', path: installed('perl'), extension: '.pl', code: '$|=1;print "1\n";<STDIN>' },
  { name: 'LuaJIT', path: installed('luajit'), extension: '.lua', code: 'print(1) io.stdout:flush() io.read()' },
  { name: 'dash', path: installed('dash'), extension: '.sh', code: 'echo 1; read line' },
  { name: 'Python', path: ofPython?.path, env: ofPython?.env ?? {}, extension: '.py', code: 'print(1,flush=True);input()' },
]

describe.runIf(process.platform === 'linux').each(INTERPRETERS)('$name', ({ path, code, extension, env }) => {
  let folder: string
  let copy: string
  let child: ChildProcess | undefined
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'renamed-')))
    copy = join(folder, 'mygame')
  })
  afterEach(async () => {
    child?.kill('SIGKILL')
    if (child !== undefined) await ended(child)
    rmSync(folder, { recursive: true, maxRetries: 5 })
  })

  /** The facts of the process, once its script runs. */
  async function factsOf(words: readonly string[], executable = copy) {
    child = spawn(executable, words, { cwd: folder, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout ?? child, 'data')
    return programFacts(child.pid ?? 0, { ...systemProc, outerNamespace: () => undefined })
  }

  describe.skipIf(path === undefined)('(skipped where it is not installed)', () => {
    beforeEach(() => copyFileSync(path ?? '', copy))

    test('by the name of its script', async () => {
      const script = `a${extension}`
      writeFileSync(join(folder, script), code)
      expect(await factsOf([script])).toMatchObject({ kind: 'unknown', executable: script, interpreter: { executable: copy } })
    })

    test('as the interpreter of a file that begins with its path', async () => {
      const script = join(folder, 'start')
      writeFileSync(script, `#!${copy}\n${code}`)
      chmodSync(script, 0o700)
      expect(await factsOf([], script)).toMatchObject({ kind: 'unknown', executable: script, interpreter: { executable: copy } })
    })
  })
})
