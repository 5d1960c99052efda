/** The package for Fedora and its relatives, in a root of its own: its files are those of its payload, and its removal leaves none. */
import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { AFTER_INSTALL, AFTER_REMOVAL, BEFORE_REMOVAL, SCRIPT_FUNCTIONS } from '#daemon/packaging/installers/linux-payload.ts'
import { makeRpm, rpmPayload } from '#daemon/packaging/installers/rpm.ts'
import { folders, SMOKE_TARGETS } from '../support/daemon.ts'
import { ROOT } from '../wine/wine.ts'
import { missingPrograms } from './missing-programs.ts'

const run = promisify(execFile)
const executable = SMOKE_TARGETS.find(({ name }) => name === 'packaged')?.command[0]
const target = TARGETS.find(({ platform, arch }) => platform === 'linux' && arch === process.arch)
const missing = await missingPrograms({ rpmbuild: 'rpm', rpm: 'rpm' })

test('installs the files and removes them', { timeout: 240_000 }, async (context) => {
  if (executable === undefined || target === undefined) return context.skip('There is no packaged file; run "npm run package" on Linux.')
  if (process.getuid?.() !== 0) return context.skip('rpm gives the files to root, so only root can try the package.')
  if (missing !== undefined) return context.skip(missing)
  const at = await folders()
  try {
    const [root, scratch, file] = [join(at.base, 'root'), join(at.base, 'scratch'), join(at.base, 'sallyport.rpm')]
    await mkdir(root)
    await mkdir(scratch)
    const input = { root: ROOT, version: '1.0.0-rc.1', target, executable, notices: [], output: file, scratch, time: 1_767_225_600 }
    await makeRpm(input, 'none')
    const { stdout: facts } = await run('rpm', ['-qp', '--queryformat', '%{VERSION} %{RELEASE} %{ARCH}\\n[%{REQUIRES} ]', file])
    expect(facts).toMatch(/^1\.0\.0 0\.rc\.1 (?:x86_64|aarch64)\n/)
    expect(facts).toContain('libatomic.so.1(LIBATOMIC_1.0)(64bit) ')
    const { stdout: scripts } = await run('rpm', ['-qp', '--scripts', file])
    expect(scripts).toContain('each_process run stop_if_activated')
    // A percent sign begins a macro of rpm.
    for (const script of [AFTER_INSTALL, BEFORE_REMOVAL, AFTER_REMOVAL]) expect(scripts).toContain(SCRIPT_FUNCTIONS + script)

    // The scripts run in the root, which has no shell.
    const rpm = (...words: readonly string[]) =>
      run('rpm', ['--root', root, '--dbpath', '/var/lib/rpm', '--noscripts', '--nodeps', ...words])
    const installed = async () =>
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((path) => !path.startsWith('var/lib/rpm/'))
        .toSorted()
    await rpm('--install', file)
    expect(await installed()).toEqual((await rpmPayload(input)).map(({ path }) => path).toSorted())
    const { stdout } = await run(join(root, 'usr/bin/sallyport'), ['version'])
    expect(stdout).toMatch(/^sallyport \d/)
    await rpm('--erase', 'sallyport')
    expect(await installed()).toEqual([])
  } finally {
    await at.remove()
  }
})
