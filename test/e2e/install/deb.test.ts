/** The Debian package, in a root of its own: a game wakes the installed bridge, stays signed in over an upgrade, and a purge leaves user data only. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@xhayper/discord-rpc'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { makeDeb } from '#daemon/packaging/installers/deb.ts'
import { ROOT } from '../wine/wine.ts'
import { connectedGame } from '../support/connected-game.ts'
import { cleanEnvironment, type Folders, folders, SMOKE_TARGETS } from '../support/daemon.ts'
import { missingPrograms } from './missing-programs.ts'
import { activate, noActivator } from './socket-activator.ts'

const run = promisify(execFile)
const executable = SMOKE_TARGETS.find(({ name }) => name === 'packaged')?.command[0]
const target = TARGETS.find(({ platform, arch }) => platform === 'linux' && arch === process.arch)

async function reasonToSkip(): Promise<string | undefined> {
  if (executable === undefined || target === undefined) return 'There is no packaged file; run "npm run package" on Linux.'
  if (process.getuid?.() !== 0) return 'dpkg gives the files to root, so only root can try the package.'
  return (await missingPrograms({ 'dpkg-deb': 'dpkg', dpkg: 'dpkg' })) ?? (await noActivator())
}
const skipped = await reasonToSkip()

/** Of the files in the packages, in seconds since the epoch. */
const TIME = 1_767_225_600

describe('the Debian package', () => {
  let at: Folders
  let root: string
  const debOf = (version: string) => join(at.base, `${version}.deb`)

  const dpkg = (...words: readonly string[]) =>
    run('dpkg', [`--root=${root}`, '--force-script-chrootless', '--force-depends', '--no-triggers', ...words], {
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, DEBIAN_FRONTEND: 'noninteractive' },
    })

  /** Files and links, except those of dpkg itself. */
  const installed = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      .filter((path) => !/^\/var\/(?:lib\/dpkg|log)\//.test(path))
      .toSorted()

  beforeAll(async () => {
    if (skipped !== undefined || executable === undefined || target === undefined) return
    at = await folders()
    root = join(at.base, 'root')
    for (const folder of ['info', 'updates', 'triggers']) await mkdir(join(root, 'var/lib/dpkg', folder), { recursive: true })
    await mkdir(join(root, 'var/log'), { recursive: true })
    await writeFile(join(root, 'var/lib/dpkg/status'), '')
    for (const version of ['1.0.0', '1.1.0']) {
      const scratch = join(at.base, 'scratch')
      await mkdir(scratch, { recursive: true })
      await makeDeb({ root: ROOT, notices: [], version, target, executable, output: debOf(version), scratch, time: TIME }, 'none')
    }
  })
  afterAll(() => at?.remove())

  test('installs, is woken by a game, is upgraded under it, and is purged', { timeout: 240_000 }, async (context) => {
    if (skipped !== undefined) return context.skip(skipped)
    await dpkg('--install', debOf('1.0.0'))
    expect(await installed()).toEqual([
      '/etc/xdg/autostart/sallyport-tray.desktop',
      '/etc/xdg/autostart/sallyport.desktop',
      '/usr/bin/sallyport',
      '/usr/lib/sallyport/autostart',
      '/usr/lib/sallyport/sallyport-package.json',
      '/usr/lib/systemd/user/sallyport-tray.service',
      '/usr/lib/systemd/user/sallyport.service',
      '/usr/lib/systemd/user/sallyport.socket',
      '/usr/lib/systemd/user/sockets.target.wants/sallyport.socket',
      '/usr/share/applications/sallyport-dashboard.desktop',
      '/usr/share/applications/sallyport.desktop',
      '/usr/share/bash-completion/completions/sallyport',
      '/usr/share/doc/sallyport/THIRD-PARTY-NOTICES.gz',
      '/usr/share/doc/sallyport/changelog.Debian.gz',
      '/usr/share/doc/sallyport/changelog.gz',
      '/usr/share/doc/sallyport/copyright',
      '/usr/share/fish/vendor_completions.d/sallyport.fish',
      ...['128x128', '16x16', '24x24', '256x256', '32x32', '48x48', '64x64'].map(
        (size) => `/usr/share/icons/hicolor/${size}/apps/sallyport.png`,
      ),
      '/usr/share/icons/hicolor/scalable/apps/sallyport.svg',
      '/usr/share/lintian/overrides/sallyport',
      '/usr/share/man/man1/sallyport.1.gz',
      '/usr/share/metainfo/invalid.sallyport.bridge.metainfo.xml',
      '/usr/share/zsh/site-functions/_sallyport',
      '/usr/share/zsh/vendor-completions/_sallyport',
    ])
    expect(await readFile(join(root, 'usr/lib/systemd/user/sallyport.service'), 'utf8')).toContain(
      'ExecStart="/usr/bin/sallyport" "run" "--idle-exit" "3600"',
    )
    const program = join(root, 'usr/bin/sallyport')
    const { stdout } = await run(program, ['config', '--json'], { env: { ...cleanEnvironment(), HOME: at.base } })
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ key: 'platform', value: 'discord', origin: 'package' }))
    await mkdir(at.runtime, { mode: 0o700 })
    const socket = join(at.runtime, 'discord-ipc-0')
    const activator = await activate({
      socket,
      command: [program, 'run', '--idle-exit', '3600', '--json', '--platform', 'sandbox', '--consent', 'allow', '--data-dir', at.data],
      env: { XDG_RUNTIME_DIR: at.runtime, HOME: at.base, SALLYPORT_VAULT: 'file' },
      folder: at.base,
    })
    try {
      const game = await connectedGame({ applicationId: '555000301', runtimeDir: at.runtime, requireBridge: true })
      await game.askToSignIn({ scopes: ['identify', 'openid'] })
      await game.setActivity({ details: 'Before the upgrade' })
      await game.on('AUTHORIZE_REQUEST', () => {}).active
      const before = await game.call('GET_BRIDGE_STATUS')
      expect(await readlink(`/proc/${before.pid}/exe`)).toBe(program)

      const { apiBase } = JSON.parse(activator.output().split('\n')[0] ?? '') as { readonly apiBase: string }
      vi.stubEnv('XDG_RUNTIME_DIR', at.runtime)
      const clientId = '333444555666777888'
      const published = new Client({ clientId, clientSecret: `sandbox-secret-${clientId}` })
      // Where the library keeps the base of the HTTP API; private by its types only.
      Object.assign((published as unknown as { readonly rest: { readonly options: object } }).rest.options, {
        api: apiBase.replace(/\/v\d+$/, ''),
      })
      await published.login({ scopes: ['identify'] })
      expect(await published.user?.setActivity({ details: 'Installed' })).toMatchObject({ details: 'Installed' })
      await published.destroy()
      vi.unstubAllEnvs()

      const back = new Promise<void>((resolve) => game.onState(({ name }) => (name === 'ready' ? resolve() : undefined)))
      await dpkg('--install', debOf('1.1.0'))
      await back
      const after = await game.call('GET_BRIDGE_STATUS')
      expect(after.pid).not.toBe(before.pid)
      expect(await readlink(`/proc/${after.pid}/exe`)).toBe(program)
      expect(game.account).toBe('signed-in')
      expect((await game.call('GET_CURRENT_USER')).username).toBe(game.currentUser?.username)
      await expect.poll(async () => (await game.call('GET_BRIDGE_STATUS')).games[0]?.activity).toContain('Before the upgrade')

      await game.close()
      await dpkg('--purge', 'sallyport')
      await expect.poll(() => existsSync(`/proc/${after.pid}`)).toBe(false)
      expect(await installed()).toEqual([])
      expect(existsSync(join(at.data, 'grants.sqlite'))).toBe(true)
    } finally {
      activator.stop()
    }
  })
})
