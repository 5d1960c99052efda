import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { harden } from '@sallyport/core/os/harden'

/** As a text: the folder of this checkout may be closed to the user that runs it. */
const MODULE = readFileSync(resolve(import.meta.dirname, '../../../../daemon/core/src/os/harden.ts'), 'utf8')
const SAYS = `${MODULE}
import { readFileSync, readlinkSync, readdirSync, statSync } from 'node:fs'
const attempt = (work: () => unknown): string => { try { return String(work()) } catch (failure) { return (failure as { code: string }).code } }
const before = harden()
console.log(JSON.stringify({
  before,
  core: /^Max core file size +(\\S+) +(\\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.slice(1),
  ours: ['ns/mnt', 'root', 'exe', 'cwd'].map((part) => attempt(() => readlinkSync('/proc/self/' + part))),
  stat: attempt(() => statSync('/proc/self/exe').ino > 0),
  fields: attempt(() => readFileSync('/proc/self/stat', 'utf8').length > 0),
  descriptors: attempt(() => readdirSync('/proc/self/fd').length > 0),
  told: attempt(() => readFileSync('/proc/self/fdinfo/0', 'utf8').length > 0),
  environ: attempt(() => readFileSync('/proc/self/environ', 'utf8').length),
}))`

/** As an ordinary user where the tests run as root, whom nothing is closed to. */
const PREFIX: readonly [string, ...string[]] =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=5', '--regid=5', '--clear-groups', process.execPath] : [process.execPath]

test.skipIf(process.platform !== 'linux')('closes a process to others, and leaves it what it reads of itself', () => {
  const { stdout, stderr } = spawnSync(PREFIX[0], [...PREFIX.slice(1), '--input-type=module-typescript', '-e', SAYS], {
    encoding: 'utf8',
    cwd: '/',
  })
  expect(stdout, stderr).not.toBe('')
  const told = JSON.parse(stdout) as Record<string, unknown>
  expect(told).toMatchObject({ before: true, stat: 'true', fields: 'true', descriptors: 'true', told: 'true' })
  // The system gives the file to root: that is what keeps everybody else out.
  expect(told['environ']).toBe('EACCES')
  expect((told['core'] as string[])[0]).toBe('0')
  expect(told['ours']).toEqual([expect.stringMatching(/^mnt:/), '/', expect.stringContaining('node'), '/'])
})

test('has nothing to do on a system without such calls', () => {
  expect(harden('win32')).toBe(true)
})
