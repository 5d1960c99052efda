/** The tray beside the real daemon, on a real session bus: what a panel reads and clicks, and what notifications say. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { carryOut } from '#daemon/src/install/carry-out.ts'
import { ended } from '#test/support/ended.ts'
import { canBeOther, spawnAsOther } from '#test/support/other-user.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, SMOKE_TARGETS, startDaemon } from './support/daemon.ts'
import { activate, noActivator } from './install/socket-activator.ts'
import { type Bus, Desktop, hasBus, NO_BUS, type ShownItem, startBus } from './support/desktop.ts'
import { programMade } from './support/program.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'
import { RawClient } from './support/raw-client.ts'

const GAME = '555000'
/** Before, a click only opens the dashboard. */
const READABLE_MS = 800

describe.skipIf(!hasBus || process.platform !== 'linux').each(SMOKE_TARGETS)(
  `$name (skipped on Windows, macOS, and: ${NO_BUS})`,
  (target) => {
    let at: Folders
    let bus: Bus
    let desktop: Desktop
    let daemon: Daemon | undefined
    let opened: string
    const trays: ChildProcess[] = []
    const games: (() => unknown)[] = []
    beforeEach(async () => {
      at = await folders()
      bus = await startBus()
      desktop = await Desktop.open(bus)
      opened = join(at.base, 'opened')
    })
    afterEach(async () => {
      for (const hangUp of games.splice(0)) await hangUp()
      for (const tray of trays.splice(0)) {
        tray.kill('SIGTERM')
        expect(await ended(tray)).toBe(0)
      }
      await daemon?.stop()
      daemon = undefined
      await desktop.close()
      await bus.stop()
      await at.remove()
    })

    /** A tray with an opener that only notes what it was given. */
    async function startTray(env: NodeJS.ProcessEnv = bus.env, flags: readonly string[] = []) {
      await programMade()
      const programs = join(at.base, 'bin')
      mkdirSync(programs, { recursive: true })
      writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`)
      chmodSync(join(programs, 'xdg-open'), 0o755)
      const [program, ...before] = target.command
      const tray = spawn(program, [...before, 'tray', '--data-dir', at.data, '--runtime-dir', at.runtime, ...flags], {
        env: { ...cleanEnvironment(), HOME: at.base, PATH: `${programs}:/usr/bin:/bin`, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      trays.push(tray)
      let said = ''
      tray.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      return { tray, said: () => said }
    }
    const serve = async (...flags: readonly string[]) => {
      daemon = await startDaemon(target, at, ['--consent', 'prompt', ...flags], { PATH: '/nonexistent' })
      return daemon
    }
    /** Those that the daemon started, on its data folder. */
    const startedTrays = (): readonly number[] =>
      spawnSync('pgrep', ['-f', `tray --if-desktop.*${at.data}`], { encoding: 'utf8' })
        .stdout.trim()
        .split('\n')
        .map(Number)
    const play = async (socket: string) => {
      const game = await RawClient.ready(socket, { client_id: GAME, contract: '1.0' })
      games.push(() => game.hangUp())
      return game
    }
    const labels = async (): Promise<readonly string[]> => (await desktop.menu()).map(({ label }) => label)
    const flat = (items: readonly ShownItem[]): readonly ShownItem[] => items.flatMap((item) => [item, ...flat(item.items)])
    const itemStarting = async (start: string): Promise<ShownItem | undefined> =>
      flat(await desktop.menu()).find(({ label }) => label.startsWith(start))
    const shows = (label: string) => expect.poll(labels, SOON).toContain(label)
    const registered = () => expect.poll(() => desktop.registered, SOON).toEqual(['sallyport.Tray'])
    const authorize = (game: Pick<RawClient, 'call'>) =>
      game.call('AUTHORIZE', {
        scopes: ['identify'],
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM',
        code_challenge_method: 'S256',
      })

    test('shows games, pauses presence, and follows a daemon that restarts', async () => {
      await desktop.showPanel()
      await startTray()
      await registered()
      await shows('Sallyport is not running')
      const first = await serve()
      await shows('Sallyport waits for the first game')
      const game = await play(first.socket)
      await game.call('SET_ACTIVITY', { pid: process.pid, activity: { name: 'Dock_side', details: 'Sorting' } })
      await shows('Playing Dock__side: Sorting')
      expect(await desktop.property('Status')).toBe('Active')
      expect(await desktop.property('ToolTip')).toMatchObject(['', [], 'Sallyport', 'Sallyport: 1 game connected'])
      const [[width, height, pixels]] = (await desktop.property('IconPixmap')) as [[number, number, Buffer]]
      expect(pixels).toHaveLength(width * height * 4)

      await desktop.choose('Pause presence')
      await shows('Sallyport: 1 game connected, presence paused')
      expect((await itemStarting('Pause presence'))?.isChecked).toBe(true)
      expect((await game.call('SET_ACTIVITY', { pid: process.pid, activity: { details: 'Hidden' } })).evt).toBeNull()
      await first.stop()
      await shows('Sallyport is not running')

      // The pause outlives the daemon.
      const second = await serve()
      await play(second.socket)
      await shows('Sallyport: 1 game connected, presence paused')
      await desktop.choose('Pause presence')
      await shows('Sallyport: 1 game connected')
    })

    test('a prompt is a notification and an item with the program; it is answered in the menu', async () => {
      await desktop.showPanel()
      await startTray()
      await registered()
      const { socket } = await serve()
      const game = await play(socket)
      const answer = authorize(game)
      await expect.poll(() => desktop.notices, SOON).toHaveLength(1)
      expect(desktop.notices[0]).toMatchObject({ title: 'A program wants to sign in for a game.' })
      expect(desktop.notices[0]?.actions.slice(-4)).toEqual(['default', '', 'open', 'Open'])
      expect(desktop.notices[0]?.body).toContain(`Application: ${GAME}`)
      expect(desktop.notices[0]?.body).toContain('Program: ')
      expect(await desktop.property('Status')).toBe('NeedsAttention')
      const prompt = await itemStarting('Prompt: ')
      expect(prompt?.items.map(({ label }) => label.replace(/:.*/, ''))).toEqual([
        'A program wants to sign in for a game.',
        'Application',
        'Account',
        'May do',
        'Why',
        'Process',
        'Program',
        'Allow',
        'Deny',
      ])
      desktop.clickNotice(1)
      // What the browser is started with: an address without the token, for this user only.
      await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8'), SOON).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/go\/[\w-]+\n$/)
      const address = readFileSync(opened, 'utf8').trim()
      if (canBeOther) {
        const other = spawnAsOther(`fetch(process.argv[1], { redirect: 'manual' }).then(({ status }) => console.log(status))`, address)
        const [status] = (await once(other.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
        await ended(other)
        expect(status.toString().trim()).toBe('403')
      }
      const entered = await fetch(address, { redirect: 'manual' })
      expect(entered.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/)
      await desktop.choose('Deny')
      expect(await answer).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
      await expect.poll(() => desktop.closed, SOON).toEqual([1])
      await expect.poll(() => desktop.property('Status'), SOON).toBe('Active')
    })

    test('a notification answers once, and only its own service says that the user clicked', async () => {
      await desktop.showPanel()
      await startTray()
      await registered()
      const { socket } = await serve()
      const game = await ProgramClient.start(makeProgram(join(at.base, 'game')), socket, { client_id: GAME, contract: '1.0' })
      games.push(() => game.end())
      const answer = authorize(game)
      await expect.poll(() => desktop.notices, SOON).toHaveLength(1)
      const [notice] = desktop.notices
      expect(notice?.actions).toEqual(['allow', 'Allow', 'deny', 'Deny', 'default', '', 'open', 'Open'])
      for (const line of [`Application: ${GAME}`, 'May do: identify', `Program: ${join(at.base, 'game')}`])
        expect(notice?.body).toContain(line)
      await pause(READABLE_MS)
      for (const action of ['allow', 'deny', 'default']) await desktop.forgeClick(bus, 1, action)
      desktop.clickNotice(99, 'allow')

      // Another service begins: it shows the prompt again, and its predecessor's id counts no more.
      await desktop.restartNotifications()
      await expect.poll(() => desktop.notices, SOON).toHaveLength(1)
      expect(await itemStarting('Prompt: ')).toBeDefined()
      expect(existsSync(opened)).toBe(false)
      await pause(READABLE_MS)
      desktop.clickNotice(1, 'deny')
      desktop.clickNotice(1, 'default')
      expect(await answer).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
      await shows('Sallyport: 1 game connected')
      expect(existsSync(opened)).toBe(false)
    })

    test('the daemon starts the tray when a prompt waits and none is there, and once', async () => {
      daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: '/nonexistent', ...bus.env })
      const first = await play(daemon.socket)
      const refused = authorize(first)
      await expect.poll(() => desktop.notices, SOON).toHaveLength(1)
      await expect.poll(() => desktop.property('Status').catch(() => undefined), SOON).toBe('NeedsAttention')
      const [tray = 0, ...others] = startedTrays()
      expect(others).toEqual([])
      await desktop.choose('Deny')
      expect(await refused).toMatchObject({ evt: 'ERROR' })

      const second = await ProgramClient.start(makeProgram(join(at.base, 'game')), daemon.socket, { client_id: GAME, contract: '1.0' })
      games.push(() => second.end())
      const denied = authorize(second)
      await expect.poll(() => desktop.notices, SOON).toHaveLength(2)
      expect(startedTrays()).toEqual([tray])
      await desktop.choose('Deny')
      await denied
      await desktop.choose('Quit tray')
      await expect.poll(() => existsSync(`/proc/${tray}`), SOON).toBe(false)
    })

    test('with --if-desktop, ends at once where no desktop is', async () => {
      await desktop.close()
      const empty = await startBus()
      const { tray, said } = await startTray(empty.env, ['--if-desktop'])
      expect(await ended(tray)).toBe(0)
      expect(said()).toBe('This user has no desktop now that can show the tray.\n')
      await empty.stop()
      desktop = await Desktop.open(bus)
      const shown = await startTray(bus.env, ['--if-desktop'])
      await expect.poll(() => desktop.property('Status').catch(() => undefined), SOON).toBe('Active')
      expect(shown.said()).toBe('')
    })

    test('goes on serving after any message of the session', async () => {
      await desktop.showPanel()
      const { tray, said } = await startTray()
      await registered()
      const ITEM = '/StatusNotifierItem'
      const [KDE, MENU] = ['org.kde.StatusNotifierItem', 'com.canonical.dbusmenu']
      const standard = (name: string) => `org.freedesktop.DBus.${name}`
      const [PROPERTIES, PEER] = [standard('Properties'), standard('Peer')]
      type Malformed = readonly [path: string, iface: string, member: string, signature?: string, body?: unknown[]]
      const calls: readonly Malformed[] = [
        ...[ITEM, '/MenuBar'].flatMap((path) => ['Get', 'Set', 'GetAll', 'None'].map((member): Malformed => [path, PROPERTIES, member])),
        ...['Get', 'Set', 'GetAll'].flatMap((member): Malformed[] => [
          [ITEM, PROPERTIES, member, 's', [KDE]],
          [ITEM, PROPERTIES, member, 'u', [7]],
        ]),
        ...['__proto__', 'constructor', 'toString'].map((name): Malformed => [ITEM, PROPERTIES, 'Get', 'ss', [KDE, name]]),
        [ITEM, PROPERTIES, 'Set', 'ssv', [KDE, 'Status', ['s', 'Passive']]],
        [ITEM, PROPERTIES, 'Set', 'ssv', [KDE, 'Menu', ['s', '/Evil']]],
        [ITEM, PROPERTIES, 'Set', 'ssv', [KDE, 'Title', ['u', 5]]],
        [ITEM, PROPERTIES, 'GetAll', 's', ['__proto__']],
        [ITEM, KDE, 'Activate'],
        [ITEM, KDE, 'Scroll', 'ss', ['a', 'b']],
        [ITEM, KDE, '__proto__'],
        [ITEM, 'no.such.Interface', 'Member'],
        ['/none', KDE, 'Activate'],
        ...['GetLayout', 'GetGroupProperties', 'GetProperty', 'Event', 'EventGroup', 'AboutToShow', 'AboutToShowGroup'].map(
          (member): Malformed => ['/MenuBar', MENU, member],
        ),
        ['/MenuBar', MENU, 'GetLayout', 'sss', ['a', 'b', 'c']],
        ['/MenuBar', MENU, 'GetLayout', 'iias', [0, -2_147_483_648, []]],
        ['/MenuBar', MENU, 'GetGroupProperties', 's', ['x']],
        ['/MenuBar', MENU, 'EventGroup', 'au', [[1, 2]]],
        ['/MenuBar', MENU, 'AboutToShowGroup', 's', ['x']],
        ['/', PEER, 'None'],
        ['/', standard('Introspectable'), 'None'],
        ['/', standard('ObjectManager'), 'GetManagedObjects', 's', ['x']],
      ]
      for (const [path, iface, member, signature, body = []] of calls) void desktop.malformed(path, iface, member, signature, body)
      expect(await desktop.malformed(ITEM, PROPERTIES, 'Set', 'ssv', [KDE, 'Title', ['s', 'Mine']])).toContain('PropertyReadOnly')
      expect(await desktop.property('Title')).toBe('Sallyport')
      expect(await desktop.property('Menu')).toBe('/MenuBar')
      await shows('Sallyport is not running')
      expect([tray.exitCode, said()]).toEqual([null, ''])
    })

    test('Link account raises AUTHORIZE_REQUEST', async () => {
      await desktop.showPanel()
      await startTray()
      await registered()
      const { socket } = await serve()
      const game = await play(socket)
      await shows(`Application ${GAME}`)
      expect((await itemStarting('Link account'))?.isEnabled).toBe(false)
      await game.call('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
      await expect.poll(async () => (await itemStarting('Link account'))?.isEnabled, SOON).toBe(true)
      await desktop.choose('Link account…')
      expect(await game.message()).toMatchObject({ evt: 'AUTHORIZE_REQUEST' })
    })

    test('appears when a panel comes, again when it comes anew, and only once per session', async () => {
      await startTray()
      await expect.poll(() => desktop.property('Status').catch(() => undefined), SOON).toBe('Active')
      expect(desktop.registered).toEqual([])
      await desktop.showPanel()
      await registered()
      const { tray, said } = await startTray()
      expect(await ended(tray)).toBe(0)
      expect(said()).toBe('Another tray of Sallyport runs in this session.\n')
    })

    test('without a bus it runs on quietly, and ends at a signal', async () => {
      const { tray, said } = await startTray({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' })
      const { socket } = await serve()
      await play(socket)
      // The daemon serves an operator: the tray is connected, though no desktop shows it.
      await expect.poll(() => daemon?.output().match(/"sdk":"sallyport-tray/g)?.length, SOON).toBe(1)
      expect(tray.exitCode).toBeNull()
      expect(said()).toBe('')
    })

    test('never loads or starts the bridge by itself, and stops it when the user says so', async () => {
      await desktop.showPanel()
      const { socket, output } = await serve()
      await startTray()
      await shows('Sallyport waits for the first game')
      expect(existsSync(join(at.data, 'bridge.loaded'))).toBe(false)
      expect(output()).not.toContain('session-ready')
      await play(socket)
      await shows('Sallyport: 1 game connected')
      await desktop.choose('Stop Sallyport')
      await shows('Sallyport is not running')
      await expect.poll(() => daemon?.hasExited, SOON).toBe(true)
      await desktop.choose('Quit tray')
      expect(await ended(trays[0] as ChildProcess)).toBe(0)
    })

    test('does not wake a daemon that a service manager would start', async (context) => {
      const missing = await noActivator()
      if (missing !== undefined) return context.skip(missing)
      await desktop.showPanel()
      await startTray()
      await registered()
      const socket = join(at.runtime, 'discord-ipc-0')
      mkdirSync(at.runtime, { recursive: true, mode: 0o700 })
      const [program, ...before] = target.command
      const words = ['run', '--json', '--data-dir', at.data, '--vault', 'file', '--idle-exit', '1', '--log-level', 'silent']
      const activator = await activate({ socket, command: [program, ...before, ...words], env: { HOME: at.base }, folder: at.base })
      try {
        await shows('Sallyport is not running')
        const game = await play(socket)
        const { data } = await game.call('GET_BRIDGE_STATUS')
        const { pid } = data as { pid: number }
        await shows('Sallyport: 1 game connected')
        game.hangUp()
        // The tray stays connected; the daemon ends when it is idle, and no other one starts.
        await expect.poll(() => existsSync(`/proc/${pid}`), SOON).toBe(false)
        await shows('Sallyport is not running')
        expect(existsSync(join(at.data, 'socket.address'))).toBe(false)
        // The socket is there again, and the next game starts the next daemon.
        await expect
          .poll(
            () =>
              play(socket).then(
                () => 'connected',
                () => 'not yet',
              ),
            SOON,
          )
          .toBe('connected')
        await shows('Sallyport: 1 game connected')
      } finally {
        activator.stop()
      }
    })

    test('starts the daemon when the user says so, with the folders of the tray', async () => {
      await desktop.showPanel()
      await startTray()
      await registered()
      await shows('Sallyport is not running')
      await desktop.choose('Start Sallyport')
      // The sandbox is loaded at once.
      await shows('Sallyport: No games connected')
      const game = await play(join(at.runtime, 'discord-ipc-0'))
      const { data } = await game.call('GET_BRIDGE_STATUS')
      game.hangUp()
      await desktop.choose('Stop Sallyport')
      await shows('Sallyport is not running')
      await expect.poll(() => existsSync(`/proc/${(data as { pid: number }).pid}`), SOON).toBe(false)
    })

    test('ends when Sallyport is uninstalled', async () => {
      await desktop.showPanel()
      const { tray } = await startTray()
      await registered()
      await carryOut(
        [{ do: 'stop-tray', dataDir: at.data }],
        async () => false,
        () => {},
      )
      expect(await ended(tray)).toBe(0)
    })
  },
)
