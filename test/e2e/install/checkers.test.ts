/** The checkers of the distributions find no error in the packages as built, with three overrides at most. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { makeDeb } from '#daemon/packaging/installers/deb.ts'
import type { InstallerInput } from '#daemon/packaging/installers/installer.ts'
import { makeRpm } from '#daemon/packaging/installers/rpm.ts'
import { noticesFor } from '#daemon/packaging/notices/collect.ts'
import { bundleProgram } from '#daemon/packaging/program.ts'
import { type Folders, folders, SMOKE_TARGETS } from '../support/daemon.ts'
import { ROOT } from '../wine/wine.ts'
import { missingPrograms } from './missing-programs.ts'

const run = promisify(execFile)
const executable = SMOKE_TARGETS.find(({ name }) => name === 'packaged')?.command[0]
const target = TARGETS.find(({ platform, arch }) => platform === 'linux' && arch === process.arch)
const noPackage =
  executable === undefined || target === undefined
    ? 'There is no packaged file; run "npm run package" on Linux.'
    : await missingPrograms({ 'dpkg-deb': 'dpkg', rpmbuild: 'rpm' })

/** They read a hundred megabytes, on a machine that may be busy. */
const CHECK_MS = 600_000
const MAX_OVERRIDES = 3
const RPMLINTRC = join(ROOT, 'daemon/packaging/installers/sallyport.rpmlintrc')

describe('the packages as built', () => {
  let at: Folders
  let deb: string
  let rpm: string
  /** What the .deb places. */
  let placed: string

  beforeAll(async () => {
    if (noPackage !== undefined || executable === undefined || target === undefined) return
    at = await folders()
    const scratch = join(at.base, 'scratch')
    await mkdir(scratch, { recursive: true })
    // The checkers compare a file's name with its content.
    deb = join(at.base, `sallyport_1.2.3-1_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`)
    rpm = join(at.base, `sallyport-1.2.3-1.${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.rpm`)
    placed = join(at.base, 'placed')
    const { packages } = await bundleProgram({ folder: join(at.base, 'program') })
    const notices = await noticesFor({ root: ROOT, target, nodeVersion: process.versions.node, packages })
    const input: Omit<InstallerInput, 'output'> = {
      ...{ root: ROOT, version: '1.2.3', target, executable, notices, scratch },
      time: 1_767_225_600,
    }
    await makeDeb({ ...input, output: deb }, 'gzip')
    await makeRpm({ ...input, output: rpm }, 'none')
    await run('dpkg-deb', ['--extract', deb, placed])
  }, CHECK_MS)
  afterAll(() => at?.remove())

  const skipWithout = async (context: TestContext, programs: Readonly<Record<string, string>>): Promise<void> => {
    const missing = noPackage ?? (await missingPrograms(programs))
    if (missing !== undefined) context.skip(missing)
  }
  /** Both outputs of a program, also of one that fails. */
  const said = (program: string, ...words: readonly string[]): Promise<string> =>
    run(program, words, { env: { ...process.env, LC_ALL: 'C.UTF-8', TMPDIR: at.base } }).then(
      ({ stdout, stderr }) => stdout + stderr,
      (failure: unknown) => {
        const { stdout, stderr } = failure as { readonly stdout: string; readonly stderr: string }
        return stdout + stderr
      },
    )
  const inFolder = async (path: string): Promise<readonly string[]> =>
    (await readdir(join(placed, path))).map((name) => join(placed, path, name))

  test('lintian has no error', { timeout: CHECK_MS }, async (context) => {
    await skipWithout(context, { lintian: 'lintian' })
    // Without its search for misspelled words in the program, most of whose words are those of Node.
    const output = await said('lintian', '--dont-check-part', 'binaries/spelling', '--display-level', '+info', deb)
    expect(output.split('\n').filter((line) => /^[EW]: |unused-override|mismatched-override/.test(line))).toEqual([
      expect.stringContaining('initial-upload-closes-no-bugs'),
    ])
  })

  test('rpmlint has no error', { timeout: CHECK_MS }, async (context) => {
    await skipWithout(context, { rpmlint: 'rpmlint' })
    expect(await said('rpmlint', '--rpmlintrc', RPMLINTRC, rpm)).toMatch(/ 1 packages and 0 specfiles checked; 0 errors, /)
  })

  test('the overrides are few, and each has a reason above it', async (context) => {
    await skipWithout(context, {})
    for (const file of [join(placed, 'usr/share/lintian/overrides/sallyport'), RPMLINTRC]) {
      const lines = (await readFile(file, 'utf8')).trim().split('\n')
      expect(lines[0]).toMatch(/^# .{20}/)
      expect(lines.filter((line) => !line.startsWith('#')).length).toBeLessThanOrEqual(MAX_OVERRIDES)
    }
  })

  test('desktop entries, metainfo and manual are valid', async (context) => {
    await skipWithout(context, { 'desktop-file-validate': 'desktop-file-utils', appstreamcli: 'appstream', man: 'man-db', groff: 'groff' })
    const entries = [...(await inFolder('usr/share/applications')), ...(await inFolder('etc/xdg/autostart'))]
    expect(await said('desktop-file-validate', ...entries)).toBe('')
    expect(await said('appstreamcli', 'validate', '--no-net', ...(await inFolder('usr/share/metainfo')))).toContain(
      'Validation was successful',
    )
    const [manual = ''] = await inFolder('usr/share/man/man1')
    expect(await said('sh', '-c', 'man --warnings --local-file "$1" >/dev/null', 'sh', manual)).toBe('')
  })

  test('an entry that a removal leaves in place does nothing then', async (context) => {
    await skipWithout(context, {})
    for (const entry of await inFolder('etc/xdg/autostart')) {
      expect(await readFile(entry, 'utf8'), entry).toMatch(/^TryExec=\/usr\/bin\/sallyport$/m)
    }
  })

  test('the control files state the size and the sums of what is placed', async (context) => {
    await skipWithout(context, {})
    const { stdout: size } = await run('dpkg-deb', ['--field', deb, 'Installed-Size'])
    const { stdout: used } = await run('du', ['--apparent-size', '--block-size=1K', '--summarize', placed])
    // Folders count differently by file system.
    expect(Math.abs(Number(size) - Number.parseInt(used, 10))).toBeLessThan(400)
    const control = join(at.base, 'control')
    await run('dpkg-deb', ['--control', deb, control])
    const { stdout: checked } = await run('md5sum', ['--check', join(control, 'md5sums')], { cwd: placed })
    expect(checked.trim().split('\n')).toContain('usr/bin/sallyport: OK')
  })

  test('the notices are those of Node, of the bundle and of the keychain library', async (context) => {
    await skipWithout(context, {})
    const text = gunzipSync(await readFile(join(placed, 'usr/share/doc/sallyport/THIRD-PARTY-NOTICES.gz'))).toString()
    const parts = ['V8', 'ICU', 'OpenSSL', 'libuv', 'zlib', 'llhttp'].map((part) => `- ${part}, located at `)
    for (const words of [...parts, '\npreact ', '\nundici ', '\nzod ', '| secret-service ', '\nruntime of mingw-w64\n'])
      expect(text).toContain(words)
    const { stdout: listed } = await run('rpm', ['--query', '--package', '--licensefiles', rpm])
    expect(listed.trim().split('\n')).toEqual([
      '/usr/share/licenses/sallyport/LICENSE',
      '/usr/share/licenses/sallyport/THIRD-PARTY-NOTICES',
    ])
  })
})
