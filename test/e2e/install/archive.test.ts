/** The archive for any Linux: its script installs for a user, replaces a running bridge whose games come back, and removes all of it. */
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SallyportClient } from '@sallyport/client'
import { expect, test } from 'vitest'
import { layOut } from '#daemon/packaging/installers/payload.ts'
import { archiveFiles } from '#daemon/packaging/installers/tarball.ts'
import { canBeOther, NO_OTHER_USER, OTHER_UID } from '#test/support/other-user.ts'
import { cleanEnvironment, folders, SMOKE_TARGETS } from '../support/daemon.ts'
import { AS_USER, foldersOfUser } from '../support/ordinary-user.ts'
import { makeProgram, ProgramClient } from '../support/program-client.ts'
import { ROOT } from '../wine/wine.ts'

const run = promisify(execFile)
const executable = SMOKE_TARGETS.find(({ name }) => name === 'packaged')?.command[0]

test.skipIf(executable === undefined)('installs, upgrades under a game, and removes all of it', async () => {
  const at = await folders()
  const [home, archive] = [join(at.base, 'home'), join(at.base, 'archive')]
  try {
    for (const folder of [home, archive, at.runtime]) await mkdir(folder, { mode: 0o700 })
    const wineBridge = join(at.base, 'bridge')
    await writeFile(wineBridge, 'the pipe bridge')
    await layOut(archive, await archiveFiles({ root: ROOT, executable: executable ?? '', notices: [], wineBridge }), Date.now() / 1000)
    const env = {
      ...cleanEnvironment(),
      HOME: home,
      PATH: '/usr/bin:/bin',
      XDG_RUNTIME_DIR: at.runtime,
      SALLYPORT_VAULT: 'file',
      SALLYPORT_CONSENT: 'allow',
      SALLYPORT_PLATFORM: 'sandbox',
    }
    const script = (...words: readonly string[]) => run(join(archive, 'install.sh'), words, { env })

    expect((await script()).stderr).toContain(`Add ${home}/.local/bin to PATH`)
    const program = join(home, '.local/bin/sallyport')
    expect(existsSync(join(home, '.local/share/man/man1/sallyport.1'))).toBe(true)
    // It knows that it is installed; here the variable was kept as the choice of the user.
    const platform = async (file: string): Promise<unknown> => {
      const { stdout } = await run(program, ['config', '--json', '--config', file], { env: { HOME: home } })
      return (JSON.parse(stdout) as readonly { key: string }[]).find(({ key }) => key === 'platform')
    }
    await writeFile(join(at.base, 'empty.json'), '{}')
    expect(await platform(join(at.base, 'empty.json'))).toMatchObject({ value: 'discord', origin: 'package' })
    expect(await platform(join(home, '.config/sallyport/config.json'))).toMatchObject({ value: 'sandbox', origin: 'file' })
    // The program finds the pipe bridge where the script put it.
    const prefix = join(at.base, 'prefix')
    await mkdir(join(prefix, 'drive_c/windows'), { recursive: true })
    await writeFile(join(prefix, 'system.reg'), 'WINE REGISTRY Version 2\n\n#arch=win64\n')
    await run(program, ['wine', 'install', prefix], { env })
    expect(await readFile(join(prefix, 'drive_c/windows/sallyport-wine.exe'), 'utf8')).toBe('the pipe bridge')

    const game = new SallyportClient({ applicationId: '555000401', runtimeDir: at.runtime, requireBridge: true })
    await expect
      .poll(() =>
        game.connect().then(
          () => 'connected',
          () => 'not yet',
        ),
      )
      .toBe('connected')
    await game.askToSignIn({ scopes: ['identify', 'openid'] })
    await game.on('AUTHORIZE_REQUEST', () => {}).active
    const before = await game.call('GET_BRIDGE_STATUS')
    expect(await readlink(`/proc/${before.pid}/exe`)).toBe(program)

    const back = new Promise<void>((resolve) => game.onState(({ name }) => (name === 'ready' ? resolve() : undefined)))
    await script()
    await back
    const after = await game.call('GET_BRIDGE_STATUS')
    expect(after.pid).not.toBe(before.pid)
    expect(await readlink(`/proc/${after.pid}/exe`)).toBe(program)
    expect(game.account).toBe('signed-in')

    await game.close()
    await script('--uninstall', '--purge')
    expect(existsSync(`/proc/${after.pid}`)).toBe(false)
    const left = await readdir(home, { recursive: true, withFileTypes: true })
    // The desktop's own cache of all handlers, where its program is installed.
    const files = left.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
    expect(files.filter((name) => name !== 'mimeinfo.cache')).toEqual([])
  } finally {
    await at.remove()
  }
})

test.skipIf(executable === undefined)(
  'an ordinary user replaces the running bridge, keeps the data, and removes it later',
  async (context) => {
    if (!canBeOther) return context.skip(NO_OTHER_USER)
    const at = foldersOfUser()
    const [home, archive] = [join(at.base, 'home'), join(at.base, 'archive')]
    try {
      for (const folder of [home, at.runtime]) {
        mkdirSync(folder, { mode: 0o700 })
        chownSync(folder, OTHER_UID, OTHER_UID)
      }
      await layOut(archive, await archiveFiles({ root: ROOT, executable: executable ?? '', notices: [] }), Date.now() / 1000)
      const env = {
        ...cleanEnvironment(),
        ...{ HOME: home, PATH: '/usr/bin:/bin', XDG_RUNTIME_DIR: at.runtime },
        ...{ SALLYPORT_VAULT: 'file', SALLYPORT_CONSENT: 'allow', SALLYPORT_PLATFORM: 'sandbox' },
      }
      const [become, ...words] = AS_USER
      const script = async (...more: readonly string[]): Promise<string> => {
        const { stdout, stderr } = await run(become, [...words, join(archive, 'install.sh'), ...more], { env, cwd: at.base })
        return stdout + stderr
      }
      const relay = makeProgram(join(at.base, 'game'))
      chmodSync(relay, 0o755)
      const socket = join(at.runtime, 'discord-ipc-0')
      const connected = async (): Promise<{ readonly game: ProgramClient; readonly pid: number }> => {
        await expect.poll(() => existsSync(socket)).toBe(true)
        const game = await ProgramClient.start(relay, socket, { client_id: '888000402', contract: '1.0', streams: true }, { by: AS_USER })
        return { game, pid: ((await game.call('GET_BRIDGE_STATUS')).data as { readonly pid: number }).pid }
      }
      const program = join(home, '.local/bin/sallyport')

      await script()
      const first = await connected()
      expect(await readlink(`/proc/${first.pid}/exe`)).toBe(program)
      await script()
      expect(String((await first.game.next()).payload)).toContain('The bridge stops.')
      expect(existsSync(`/proc/${first.pid}`)).toBe(false)
      const second = await connected()
      expect(second.pid).not.toBe(first.pid)
      expect(await readlink(`/proc/${second.pid}/exe`)).toBe(program)
      await Promise.all([first, second].map(({ game }) => game.end()))

      // What it says can be done: nothing that it names is gone.
      const removed = await script('--uninstall')
      expect(removed).toContain(`To remove your data and settings too: ${join(archive, 'install.sh')} --uninstall --purge`)
      expect(removed).not.toContain('sallyport uninstall')
      expect(existsSync(program)).toBe(false)
      const data = join(home, '.local/share/sallyport')
      expect(existsSync(data)).toBe(true)
      expect(await script('--uninstall', '--purge')).toContain(`remove the files of Sallyport in ${data}`)
      expect(existsSync(data)).toBe(false)
    } finally {
      await at.remove()
    }
  },
)
