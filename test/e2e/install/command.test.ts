/** `sallyport install` and `uninstall` on Linux, with real files in a home folder of their own, and the written units as systemd would run them. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectedGame } from '../support/connected-game.ts'
import { type Folders, folders, SMOKE_TARGETS, sallyport } from '../support/daemon.ts'
import { RawClient } from '../support/raw-client.ts'
import { activate, noActivator } from './socket-activator.ts'

const withoutActivator = await noActivator()

/** Programs of the desktop that write down how they were called. */
const RECORDED = ['systemctl', 'update-desktop-database']

/** The words of a line of a unit, which are all in quotes. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  )

describe.skipIf(process.platform !== 'linux').each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let home: string
  let env: Record<string, string>
  let calls: string

  beforeEach(async () => {
    at = await folders()
    home = join(at.base, 'home')
    const programs = join(at.base, 'bin')
    calls = join(at.base, 'calls')
    for (const folder of [home, programs, at.runtime]) await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(calls, '')
    for (const name of RECORDED) {
      await writeFile(join(programs, name), `#!/bin/sh\necho ${name} "$@" >>'${calls}'\n`)
      await chmod(join(programs, name), 0o755)
    }
    env = { HOME: home, PATH: `${programs}:/usr/bin:/bin`, XDG_RUNTIME_DIR: at.runtime, SALLYPORT_VAULT: 'file' }
  })
  afterEach(() => at.remove())

  const filesIn = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted()
  const withSystemd = async () => {
    await mkdir(join(at.runtime, 'systemd'))
    await writeFile(join(at.runtime, 'systemd', 'private'), '')
  }
  const outcomes = (out: string) =>
    (JSON.parse(out) as { steps: readonly { step: { do: string }; outcome: string }[] }).steps
      .filter(({ step }) => step.do === 'write')
      .map(({ outcome }) => outcome)

  const UNITS = '.config/systemd/user'
  const SETTINGS = '.config/sallyport/config.json'
  const INSTALLED = [
    '.config/autostart/sallyport-tray.desktop',
    SETTINGS,
    `${UNITS}/sallyport.service`,
    `${UNITS}/sallyport.socket`,
    '.local/share/applications/sallyport-dashboard.desktop',
    '.local/share/applications/sallyport.desktop',
    '.local/share/icons/hicolor/scalable/apps/sallyport.svg',
    '.local/share/sallyport/installed.json',
  ]

  test('with systemd: writes the units once, and removes all of it', async () => {
    await withSystemd()
    const dry = await sallyport(target, ['install', '--dry-run'], env)
    expect(dry.code, dry.err).toBe(0)
    expect(dry.out).toContain(`write ${home}/${UNITS}/sallyport.socket\n`)
    expect(await filesIn(home)).toEqual([])
    expect(await readFile(calls, 'utf8')).toBe('')

    const first = await sallyport(target, ['install', 'my-game', '--json'], env)
    expect(first.code, first.err).toBe(0)
    expect(await filesIn(home)).toEqual(INSTALLED)
    expect((await readFile(calls, 'utf8')).split('\n').filter((line) => line.startsWith('systemctl'))).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable sallyport.socket',
      'systemctl --user start sallyport.socket',
    ])
    expect(await readFile(join(home, '.local/share/applications/sallyport.desktop'), 'utf8')).toContain('x-scheme-handler/my-game;')

    // Again, without the scheme: it is remembered, so nothing changes.
    const second = await sallyport(target, ['install', '--json'], env)
    expect(JSON.parse(await readFile(join(home, SETTINGS), 'utf8'))).toEqual({ platform: 'discord' })
    expect(outcomes(second.out)).toEqual(Array.from({ length: 7 }, () => 'unchanged'))

    const gone = await sallyport(target, ['uninstall', '--json'], env)
    expect(gone.code, gone.err).toBe(0)
    // What the user chose stays.
    expect(await filesIn(home)).toEqual([SETTINGS])
    expect(await readFile(calls, 'utf8')).toContain('systemctl --user disable sallyport.socket')
  })

  test.each([
    ['sandbox', 'file'],
    ['discord', 'file'],
    ['discord', 'folder'],
    ['discord', 'link'],
  ])('the name %s stays a name, though the working folder has a %s of that name', async (name, kind) => {
    await withSystemd()
    const downloads = join(at.base, 'downloads')
    await mkdir(downloads)
    const put = {
      file: () => writeFile(join(downloads, name), '{}'),
      folder: () => mkdir(join(downloads, name)),
      link: () => symlink('/etc/passwd', join(downloads, name)),
    }[kind]
    await put?.()
    const there = { ...target, command: ['/usr/bin/env', '-C', downloads, ...target.command] as const }
    for (const given of [
      { words: ['--platform', name], env },
      { words: [], env: { ...env, SALLYPORT_PLATFORM: name } },
    ]) {
      const { code, err } = await sallyport(there, ['install', ...given.words], given.env)
      expect(code, err).toBe(0)
      expect(JSON.parse(await readFile(join(home, SETTINGS), 'utf8'))).toEqual({ platform: name })
      const unit = await readFile(join(home, UNITS, 'sallyport.service'), 'utf8')
      expect(unit).not.toContain('--platform')
    }
  })

  test('the units serve a game: its connection starts the bridge, which ends when it is idle', async (context) => {
    if (withoutActivator !== undefined) return context.skip(withoutActivator)
    await withSystemd()
    expect((await sallyport(target, ['install'], env)).code).toBe(0)
    const unit = (name: string) => readFile(join(home, UNITS, name), 'utf8')
    const [socketUnit, serviceUnit] = [await unit('sallyport.socket'), await unit('sallyport.service')]
    const socket = /^ListenStream=(.*)$/m.exec(socketUnit)?.[1]?.replace('%t', at.runtime) ?? ''
    expect(socket).toBe(join(at.runtime, 'sallyport', 'discord-ipc-0'))
    await mkdir(dirname(socket), { mode: 0o700 })
    const runLine = (name: string): void => {
      const [shell = '', ...words] = wordsOf(
        `"/bin/sh" ${new RegExp(`^${name}=-"/bin/sh" (.*)$`, 'm').exec(socketUnit)?.[1]?.replace('%t', at.runtime)}`,
      )
      execFileSync(shell, words, { stdio: 'ignore' })
    }
    const command = wordsOf(/^ExecStart=(.*)$/m.exec(serviceUnit)?.[1] ?? '')
    expect(command.slice(-3)).toEqual(['run', '--idle-exit', '3600'])

    const activator = await activate({ socket, command: [...command.slice(0, -1), '1', '--json'], env, folder: at.base })
    try {
      // As systemd does after the start of the socket; the name for Wine has no socket here.
      expect(() => runLine('ExecStartPost')).toThrow()
      const client = await connectedGame({ applicationId: '555000201', runtimeDir: at.runtime, requireBridge: true })
      expect(await client.setActivity({ details: 'Woken up' })).toMatchObject({ details: 'Woken up' })
      const { pid } = await client.call('GET_BRIDGE_STATUS')
      const { out } = await sallyport(target, ['status', '--json'], env)
      expect(JSON.parse(out)).toMatchObject({
        ipc: [join(at.runtime, 'discord-ipc-0')],
        platform: 'discord',
        settings: { platform: 'discord', from: 'file' },
      })
      await client.close()
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
      // The socket is there again, and the next game starts the next bridge.
      await expect
        .poll(() =>
          RawClient.ready(socket).then(
            (game) => game.hangUp(),
            () => 'not yet',
          ),
        )
        .toBeUndefined()
      runLine('ExecStopPre')
      expect(existsSync(join(at.runtime, 'discord-ipc-0'))).toBe(false)
    } finally {
      activator.stop()
    }
  })

  test('without systemd: the bridge runs at once and at login; uninstall stops it, and --purge leaves nothing', async () => {
    const installed = await sallyport(target, ['install'], env)
    expect(installed.code, installed.err).toBe(0)
    expect(installed.err).toContain('No systemd of this user runs')
    const entry = await readFile(join(home, '.config/autostart/sallyport.desktop'), 'utf8')
    expect(entry).toMatch(/^Exec=.* run$/m)

    const client = new SallyportClient({ applicationId: '555000202', runtimeDir: at.runtime, requireBridge: true, reconnect: false })
    await expect
      .poll(() =>
        client.connect().then(
          () => 'connected',
          () => 'not yet',
        ),
      )
      .toBe('connected')
    const { pid } = await client.call('GET_BRIDGE_STATUS')
    // A second installation finds the bridge and starts no other.
    expect((await sallyport(target, ['install'], env)).code).toBe(0)
    expect((await client.call('GET_BRIDGE_STATUS')).pid).toBe(pid)

    const gone = await sallyport(target, ['uninstall', '--purge'], env)
    expect(gone.code, gone.err).toBe(0)
    expect(existsSync(`/proc/${pid}`)).toBe(false)
    expect(await filesIn(home)).toEqual([])
    await client.close()
  })

  test('data of a newer version ends the bridge with its own exit code, and stays as it is', async () => {
    const run = () => sallyport(target, ['run', '--data-dir', at.data, '--runtime-dir', at.runtime], env)
    await mkdir(at.data, { mode: 0o700 })
    await writeFile(join(at.data, 'format'), '99\n', { mode: 0o600 })
    const refused = await run()
    expect(refused.code).toBe(6)
    expect(refused.err).toContain('its format version is 99')
    expect(await filesIn(at.data)).toEqual(['format'])

    await writeFile(join(at.data, 'format'), '1\n')
    const file = join(at.data, 'grants.sqlite')
    const newer = new DatabaseSync(file)
    newer.exec('CREATE TABLE later (name TEXT); PRAGMA user_version = 99')
    newer.close()
    await chmod(file, 0o600)
    const alsoRefused = await run()
    expect(alsoRefused.code, alsoRefused.err).toBe(6)
    expect(alsoRefused.err).toMatch(/The list of grants cannot use its data file .*: its format version is 99/)
    const still = new DatabaseSync(file)
    expect(still.prepare('SELECT count(*) AS n FROM later').get()).toEqual({ n: 0 })
    still.close()
  })

  test("refuses a scheme that is not a game's", async () => {
    const refused = await sallyport(target, ['install', 'https'], env)
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('not a URL scheme that a game can have')
    expect(await filesIn(home)).toEqual([])
  })
})
