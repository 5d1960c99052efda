/** The shell functions of the package's scripts, which run as root beside processes of any user. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCRIPT_FUNCTIONS } from '#daemon/packaging/installers/linux-payload.ts'
import { ended } from '#test/support/ended.ts'

const canUnshare = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

describe.skipIf(!canUnshare)('the functions of the package scripts (needs root and unshare)', () => {
  let base: string
  let program: string
  const children: ReturnType<typeof spawn>[] = []

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'sp-'))
    program = join(base, 'usr/bin/sallyport')
    mkdirSync(join(base, 'usr/bin'), { recursive: true })
    // Any program that stays: as "sallyport run" it reads a pipe that this test holds.
    copyFileSync('/bin/cat', program)
    writeFileSync(join(base, 'functions.sh'), `${SCRIPT_FUNCTIONS}list() { echo "$1"; }\n`)
  })
  afterAll(async () => {
    for (const child of children) child.stdin?.end()
    await Promise.all(children.map(ended))
    if (base !== undefined) rmSync(base, { recursive: true })
  })

  /** Runs a script with the functions; resolves to its lines. */
  const lines = (script: string, env: NodeJS.ProcessEnv = {}): readonly string[] =>
    execFileSync('sh', ['-eu', '-c', `. ${join(base, 'functions.sh')}\n${script}`], { encoding: 'utf8', env: { ...process.env, ...env } })
      .split('\n')
      .filter((line) => line !== '')

  /** A process that runs this file with the words `- run`, and waits. */
  const started = async (command: string, args: readonly string[]): Promise<number> => {
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] })
    children.push(child)
    const pid = child.pid ?? 0
    await expect.poll(() => readlinkSync(`/proc/${pid}/exe`)).toBe(program)
    return pid
  }

  test('find the processes of the package, and none that only shows its path from a mount namespace of its own', async () => {
    writeFileSync(join(base, 'run'), '')
    const own = await started('sh', ['-c', `cd ${base}; exec ${program} run -`])
    const impostor = spawn('unshare', ['-m', 'sh', '-c', `mount --bind /bin/cat ${program}; cd ${base}; exec ${program} run -`], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    children.push(impostor)
    await expect.poll(() => readlinkSync(`/proc/${impostor.pid}/exe`)).toBe(program)
    expect(lines('each_process run list', { DPKG_ROOT: base })).toEqual([String(own)])
  })

  test('end a tray, and wait for its end', async () => {
    writeFileSync(join(base, 'tray'), '')
    const pid = await started('sh', ['-c', `cd ${base}; exec ${program} tray -`])
    const isThere = `readlink /proc/${pid}/exe || echo gone`
    expect(lines(`${isThere}\neach_process tray stop_and_wait\n${isThere}`, { DPKG_ROOT: base })).toEqual([program, 'gone'])
  })

  /** Asks a manager twice, and a link to it. Returns the words after `timeout`, which ends with this code. */
  function askedTwice(code: number): string {
    const asked = join(base, `asked-${code}`)
    const bin = join(base, `bin-${code}`)
    mkdirSync(bin)
    writeFileSync(join(bin, 'timeout'), `#!/bin/sh\necho "$@" >>${asked}\nexit ${code}\n`, { mode: 0o755 })
    const listen = `require('node:net').createServer().listen('/run/user/1/systemd/private', () => process.exit())`
    const script = [
      'mount -t tmpfs none /run',
      'mkdir -p /run/systemd/system /run/user/1/systemd /run/user/2/systemd',
      // A socket whose listener is gone is one still, as process.exit leaves it.
      `'${process.execPath}' -e "${listen}"`,
      'ln -s /run/user/1/systemd/private /run/user/2/systemd/private',
      `. ${join(base, 'functions.sh')}`,
      `PATH=${bin}:$PATH`,
      'each_user daemon-reload',
      'each_user start some.socket',
    ]
    execFileSync('unshare', ['-m', 'sh', '-euc', script.join('\n')])
    return readFileSync(asked, 'utf8')
  }

  const RELOAD = '-k 1 10 systemctl --user --machine=1@.host --no-block daemon-reload\n'
  const START = '-k 1 10 systemctl --user --machine=1@.host --no-block start some.socket\n'
  test.each([
    { name: 'ask each manager for a bounded time, and follow no link', code: 0, asked: RELOAD + START },
    { name: 'ask a manager again that refused', code: 1, asked: RELOAD + START },
    { name: 'ask a manager no more that did not answer', code: 124, asked: RELOAD },
    { name: 'ask a manager no more whose answer had to be killed', code: 137, asked: RELOAD },
  ])('$name', ({ code, asked }) => {
    expect(askedTwice(code)).toBe(asked)
  })
})
