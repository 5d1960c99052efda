import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { harden } from '@sallyport/core/os/harden'
import { canBeOther } from '#test/support/other-user.ts'

/** As text, because that user may not be able to read this checkout. */
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
  fdinfo: attempt(() => readFileSync('/proc/self/fdinfo/0', 'utf8').length > 0),
  environ: attempt(() => readFileSync('/proc/self/environ', 'utf8').length),
}))`

const isRoot = process.getuid?.() === 0
/** As an unprivileged user if the tests run as root, which is not restricted. */
const PREFIX: readonly [string, ...string[]] = isRoot
  ? ['setpriv', '--reuid=5', '--regid=5', '--clear-groups', process.execPath]
  : [process.execPath]

test.skipIf(process.platform !== 'linux' || (isRoot && !canBeOther))('protects a process from others, but not from itself', () => {
  const { stdout, stderr } = spawnSync(PREFIX[0], [...PREFIX.slice(1), '--input-type=module-typescript', '-e', SAYS], {
    encoding: 'utf8',
    cwd: '/',
  })
  expect(stdout, stderr).not.toBe('')
  const report = JSON.parse(stdout) as Record<string, unknown>
  expect(report).toMatchObject({ before: true, stat: 'true', fields: 'true', descriptors: 'true', fdinfo: 'true' })
  // The file belongs to root, so that other users cannot read it.
  expect(report['environ']).toBe('EACCES')
  expect((report['core'] as string[])[0]).toBe('0')
  expect(report['ours']).toEqual([expect.stringMatching(/^mnt:/), '/', expect.stringContaining('node'), '/'])
})

test('does nothing on a system without such calls', () => {
  expect(harden('win32')).toBe(true)
})
