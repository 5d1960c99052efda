/** Plans for the three systems: what they write and run, that names with special characters survive, and that uninstall undoes install. */
import { describe, expect, test } from 'vitest'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { isUsableScheme, planInstall, planUninstall, schemesIn } from '#daemon/src/install/plan.ts'
import { type Facts, type Step, stepText } from '#daemon/src/install/steps.ts'

const LINUX: Facts = {
  platform: 'linux',
  home: '/home/ada',
  env: {},
  uid: 1000,
  program: ['/opt/sally port/sallyport'],
  quietProgram: undefined,
  hasTray: true,
  icon: '<svg/>',
  flags: [],
  hasSystemd: true,
  ipcPrefix: 'discord-ipc',
  runtimeDir: undefined,
  isRunning: false,
  hasForeignServer: false,
  hasPackageUnit: false,
  hasOwnUnit: false,
  platformChoice: undefined,
  schemes: ['sallyport', 'my-game'],
  dataDir: '/home/ada/.local/share/sallyport',
  configDir: '/home/ada/.config/sallyport',
  keychainEntries: [],
  recordFile: '/home/ada/.local/share/sallyport/installed.json',
}
const MACOS: Facts = { ...LINUX, platform: 'darwin', home: '/home/ada' }
const WINDOWS: Facts = {
  ...LINUX,
  platform: 'win32',
  home: String.raw`C:\Users\Ada`,
  env: { SystemRoot: String.raw`C:\Windows` },
  uid: undefined,
  program: [String.raw`C:\Users\Ada L\Sallyport\sallyport.exe`],
  quietProgram: [String.raw`C:\Users\Ada L\Sallyport\sallyportw.exe`],
  hasSystemd: false,
}

const written = (steps: readonly Step[], ending: string): string => {
  const found = steps.find((step) => step.do === 'write' && step.path.endsWith(ending))
  return found?.do === 'write' ? found.text : ''
}
const ran = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => (step.do === 'run' || step.do === 'start' ? [step.command.join(' ')] : []))
const removed = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => (step.do === 'remove' || step.do === 'remove-folder' ? [step.path] : []))

describe('Linux with systemd', () => {
  test('a socket unit has the path of games, and a service that ends when it is idle', () => {
    const { steps, notes } = planInstall(LINUX)
    expect(written(steps, 'sallyport.socket')).toMatch(
      /\nListenStream=%t\/sallyport\/discord-ipc-0\nListenStream=%t\/sallyport\/sallyport-wine-discord-ipc-0\nSocketMode=0600\n/,
    )
    const service = written(steps, 'sallyport.service')
    expect(service).toContain('\nExecStart="/opt/sally port/sallyport" "run" "--idle-exit" "3600"\n')
    // Games that an earlier version launched are in its control group.
    expect(service).toContain('\nKillMode=process\n')
    // Systemd ends the socket with a service that failed too often.
    expect(service).toMatch(/^\[Unit\]\n(?:.+\n)*StartLimitIntervalSec=0\n/)
    expect(service).toMatch(/\nRestart=on-failure\nRestartSec=\d+\n/)
    // Memory that one thread freed is for the others.
    expect(service).toContain('\nEnvironment=MALLOC_ARENA_MAX=1\n')
    // Another start would end in the same way. A game that waits starts it all the same, so that start waits too.
    const statuses = [EXIT.usage, EXIT.newerData]
    expect(service).toContain(
      `\nRestartPreventExitStatus=${statuses.join(' ')}\nExecStopPost=-"/bin/sh" "-c" "case $$EXIT_STATUS in ${statuses.join('|')})`,
    )
    // One of these makes a mount or user namespace, in which each game would be a stranger.
    expect(service.match(/^(?:Private|Protect|ReadOnly|Inaccessible|Bind|Temporary|Root|Mount)\w*=/gm)).toBeNull()
    expect(ran(steps).slice(0, 3)).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable sallyport.socket',
      'systemctl --user start sallyport.socket',
    ])
    expect(notes).toEqual([])
  })

  test('the user learns of another server in the first slot, which keeps it', () => {
    const { steps, notes } = planInstall({ ...LINUX, hasForeignServer: true })
    expect(ran(steps)).toContain('systemctl --user start sallyport.socket')
    expect(notes.join()).toContain('It keeps the slot')
  })

  test('settings of the user reach the service, and special characters do not end a word', () => {
    const flags = ['--platform', 'discord', '--data-dir', String.raw`/data/50%/$HOME "x"\y`]
    const { steps } = planInstall({ ...LINUX, flags, runtimeDir: '/run/100%' })
    expect(written(steps, 'sallyport.service')).toContain(
      String.raw`"--platform" "discord" "--data-dir" "/data/50%%/$$HOME \"x\"\\y"` + '\n',
    )
    expect(written(steps, 'sallyport.socket')).toContain('\nListenStream=/run/100%%/sallyport/discord-ipc-0\n')
  })

  test('the menu of the desktop has an entry with an icon, which opens the dashboard', () => {
    const { steps } = planInstall({ ...LINUX, flags: ['--data-dir', '/data'] })
    const entry = written(steps, 'applications/sallyport-dashboard.desktop')
    expect(entry).toContain('\nExec="/opt/sally port/sallyport" open --data-dir /data\n')
    expect(entry).toContain('\nIcon=sallyport\n')
    expect(entry).not.toContain('NoDisplay')
    expect(written(steps, 'icons/hicolor/scalable/apps/sallyport.svg')).toBe('<svg/>')
    expect(removed(planUninstall(LINUX, false).steps)).toEqual(
      expect.arrayContaining([
        '/home/ada/.local/share/applications/sallyport-dashboard.desktop',
        '/home/ada/.local/share/icons/hicolor/scalable/apps/sallyport.svg',
      ]),
    )
  })

  test('the desktop gives callbacks of every scheme to the bridge', () => {
    const { steps } = planInstall(LINUX)
    const handler = written(steps, 'applications/sallyport.desktop')
    expect(handler).toContain('\nExec="/opt/sally port/sallyport" callback -- %u\n')
    expect(handler).toContain('\nMimeType=x-scheme-handler/sallyport;x-scheme-handler/my-game;\n')
    expect(ran(steps)).toContain('update-desktop-database /home/ada/.local/share/applications')
    expect(schemesIn(written(steps, 'installed.json'))).toEqual(['sallyport', 'my-game'])
  })

  test('the desktop shows the tray at login; uninstall ends it', () => {
    const { steps } = planInstall({ ...LINUX, flags: ['--data-dir', '/data'] })
    const entry = written(steps, '.config/autostart/sallyport-tray.desktop')
    expect(entry).toContain('\nExec="/opt/sally port/sallyport" tray --data-dir /data\n')
    expect(planUninstall(LINUX, false).steps).toContainEqual({ do: 'stop-tray', dataDir: LINUX.dataDir })
  })

  test('the tray starts now too, where there is a desktop', () => {
    const now = '/opt/sally port/sallyport tray --if-desktop'
    expect(ran(planInstall(LINUX).steps)).toContain(now)
    expect(ran(planInstall({ ...LINUX, hasSystemd: false }).steps)).toContain(now)
    expect(ran(planInstall({ ...LINUX, hasSystemd: false, hasPackageUnit: true }).steps)).toContain(now)
    expect(planInstall({ ...LINUX, hasPackageUnit: true }).steps).toContainEqual({
      do: 'run',
      command: ['systemctl', '--user', 'start', 'sallyport-tray.service'],
      mayFail: true,
    })
  })

  test('the folders of XDG are used', () => {
    const { steps } = planInstall({ ...LINUX, env: { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' } })
    expect(written(steps, '/c/systemd/user/sallyport.socket')).not.toBe('')
    expect(written(steps, '/d/applications/sallyport.desktop')).not.toBe('')
  })
})

describe('Linux with a package', () => {
  const packaged: Facts = { ...LINUX, hasPackageUnit: true, schemes: ['sallyport'] }

  test('install places no second set, and starts the socket of the package', () => {
    const { steps, notes } = planInstall(packaged)
    expect(steps.filter((step) => step.do === 'write').map((step) => step.path)).toEqual([packaged.recordFile])
    expect(ran(steps)).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user start sallyport.socket',
      'systemctl --user start sallyport-tray.service',
    ])
    expect(notes.join()).toContain('no second set')
  })

  test('install registers the schemes that the user names', () => {
    const { steps } = planInstall({ ...packaged, schemes: ['sallyport', 'my-game'] })
    expect(written(steps, 'applications/sallyport.desktop')).toContain('x-scheme-handler/my-game;')
  })

  test('install removes an own set, which would hide the package', () => {
    const { steps } = planInstall({ ...packaged, hasOwnUnit: true })
    expect(ran(steps)).toEqual([
      'systemctl --user disable sallyport.socket',
      'systemctl --user stop sallyport.socket sallyport.service',
      'systemctl --user daemon-reload',
      'systemctl --user start sallyport.socket',
      'systemctl --user start sallyport-tray.service',
    ])
    expect(removed(steps)).toContain('/home/ada/.config/systemd/user/sallyport.service')
  })

  test('without systemd the bridge starts now, and the desktop starts the one of the package at login', () => {
    const { steps } = planInstall({ ...packaged, hasSystemd: false })
    expect(ran(steps)).toEqual(['/opt/sally port/sallyport run', '/opt/sally port/sallyport tray --if-desktop'])
    expect(ran(planInstall({ ...packaged, hasSystemd: false, isRunning: true }).steps)).toEqual([
      '/opt/sally port/sallyport tray --if-desktop',
    ])
  })

  test('uninstall stops and removes nothing of the package, and says who still starts the bridge', () => {
    const { steps, notes } = planUninstall(packaged, false)
    expect(steps.filter(({ do: what }) => what === 'stop-bridge' || what === 'stop-tray')).toEqual([])
    expect(ran(steps).join('\n')).not.toMatch(/stop|disable/)
    expect(notes.join()).toContain('systemctl --user mask --now sallyport.socket')
  })

  test('a purge ends the bridge whose data it removes, and uninstall of an own set starts the socket of the package', () => {
    expect(planUninstall(packaged, true).steps).toContainEqual({ do: 'stop-bridge' })
    expect(ran(planUninstall({ ...packaged, hasOwnUnit: true }, false).steps).slice(-2)).toEqual([
      'systemctl --user start sallyport.socket',
      'update-desktop-database /home/ada/.local/share/applications',
    ])
  })
})

test('the platform that the installation chooses is set first, and waits for the next start of a bridge that runs', () => {
  const platformChoice = { file: '/home/ada/.config/sallyport/config.json', value: 'discord' }
  for (const facts of [LINUX, MACOS, WINDOWS]) {
    const { steps, notes } = planInstall({ ...facts, platformChoice, isRunning: true })
    expect(steps[0]).toEqual({ do: 'set', key: 'platform', ...platformChoice })
    expect(notes.join()).toContain('keeps its platform')
  }
  expect(planInstall(LINUX).steps.some((step) => step.do === 'set')).toBe(false)
  expect(stepText({ do: 'set', key: 'platform', ...platformChoice })).toBe(`set platform to discord in ${platformChoice.file}`)
})

describe('Linux without systemd', () => {
  const facts = { ...LINUX, hasSystemd: false }

  test('the desktop starts the bridge at login, and it starts now', () => {
    const { steps, notes } = planInstall({ ...facts, flags: ['--data-dir', String.raw`/a\b $x`] })
    expect(written(steps, '.config/autostart/sallyport.desktop')).toContain(
      String.raw`Exec="/opt/sally port/sallyport" run --data-dir "/a\\\\b \\$x"` + '\n',
    )
    expect(steps).toContainEqual({ do: 'start', command: ['/opt/sally port/sallyport', 'run', '--data-dir', String.raw`/a\b $x`] })
    expect(notes.join()).toContain('No systemd')
    expect(ran(steps).some((line) => line.startsWith('systemctl'))).toBe(false)
  })

  test('a bridge that runs is not started again', () => {
    expect(ran(planInstall({ ...facts, isRunning: true }).steps).filter((line) => line.endsWith(' run'))).toEqual([])
  })
})

describe('macOS', () => {
  test('launchd starts the tray too, where its helper is', () => {
    const { steps } = planInstall(MACOS)
    expect(written(steps, 'sallyport.tray.plist')).toContain('<string>/opt/sally port/sallyport</string>\n    <string>tray</string>')
    expect(written(planInstall({ ...MACOS, hasTray: false }).steps, 'sallyport.tray.plist')).toBe('')
  })

  test('launchd starts the bridge at login and now', () => {
    const { steps } = planInstall({ ...MACOS, flags: ['--platform', 'a<b>&c'] })
    const agent = written(steps, 'Library/LaunchAgents/sallyport.bridge.plist')
    expect(agent).toContain('<string>/opt/sally port/sallyport</string>\n    <string>run</string>\n    <string>--platform</string>')
    expect(agent).toContain('<string>a&lt;b&gt;&amp;c</string>')
    expect(ran(steps)).toContain('launchctl bootstrap gui/1000 /home/ada/Library/LaunchAgents/sallyport.bridge.plist')
  })
})

describe('Windows', () => {
  const reg = String.raw`C:\Windows\System32\reg.exe`

  test('values of the user start the bridge without a window and deliver callbacks', () => {
    const { steps } = planInstall({ ...WINDOWS, flags: ['--data-dir', 'D:\\Daten\\'] })
    const commands = steps.flatMap((step) => (step.do === 'run' ? [step.command] : []))
    expect(commands).toContainEqual([
      reg,
      'add',
      String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`,
      '/v',
      'Sallyport',
      '/t',
      'REG_SZ',
      '/d',
      // The backslash before the closing quote is doubled.
      String.raw`"C:\Users\Ada L\Sallyport\sallyportw.exe" "run" "--data-dir" "D:\Daten\\"`,
      '/f',
    ])
    expect(commands).toContainEqual([
      reg,
      'add',
      String.raw`HKCU\Software\Classes\my-game\shell\open\command`,
      '/ve',
      '/t',
      'REG_SZ',
      '/d',
      String.raw`"C:\Users\Ada L\Sallyport\sallyportw.exe" "callback" "--" "%1"`,
      '/f',
    ])
  })

  test('the tray starts at login and now, where its helper is', () => {
    const tray = String.raw`C:\Users\Ada L\Sallyport\sallyportw.exe tray`
    expect(ran(planInstall(WINDOWS).steps)).toContain(tray)
    expect(ran(planInstall(WINDOWS).steps).join('\n')).toContain(
      String.raw`/v SallyportTray /t REG_SZ /d "C:\Users\Ada L\Sallyport\sallyportw.exe" "tray"`,
    )
    expect(ran(planInstall({ ...WINDOWS, hasTray: false }).steps).join('\n')).not.toContain('tray')
  })

  test('without the launcher the program itself is started, and the user learns of the window', () => {
    const { steps, notes } = planInstall({ ...WINDOWS, quietProgram: undefined })
    expect(ran(steps).join('\n')).toContain(String.raw`"C:\Users\Ada L\Sallyport\sallyport.exe" "run"`)
    expect(notes.join()).toContain('console window')
  })

  test('uninstall ends the bridge first, then deletes the values', () => {
    const { steps } = planUninstall(WINDOWS, false)
    expect(ran(steps)).toEqual([
      String.raw`C:\Users\Ada L\Sallyport\sallyportw.exe --stop`,
      String.raw`${reg} delete HKCU\Software\Microsoft\Windows\CurrentVersion\Run /v Sallyport /f`,
      String.raw`${reg} delete HKCU\Software\Microsoft\Windows\CurrentVersion\Run /v SallyportTray /f`,
      String.raw`${reg} delete HKCU\Software\Classes\sallyport /f`,
      String.raw`${reg} delete HKCU\Software\Classes\my-game /f`,
    ])
  })
})

describe.each([
  ['Linux with systemd', LINUX],
  ['Linux without systemd', { ...LINUX, hasSystemd: false }],
  ['macOS', MACOS],
] as const)('%s', (_, facts) => {
  test('uninstall removes each file that install writes, and keeps the data', () => {
    const files = planInstall(facts).steps.flatMap((step) => (step.do === 'write' ? [step.path] : []))
    const { steps, notes } = planUninstall(facts, false)
    expect(removed(steps)).toEqual(expect.arrayContaining(files))
    expect(removed(steps)).not.toContain(facts.dataDir)
    expect(notes.join()).toContain('--purge')
    expect(removed(planUninstall(facts, true).steps)).toEqual(expect.arrayContaining([facts.dataDir, facts.configDir]))
  })

  test('a purge removes the keys from the keychain before the data that names them', () => {
    const keychainEntries = [
      { entry: 'ab12', isInFile: false },
      { entry: 'cd34', isInFile: true },
    ]
    const steps = planUninstall({ ...facts, keychainEntries }, true).steps.filter(({ do: what }) => what !== 'remove')
    const at = steps.findIndex((step) => step.do === 'forget-key')
    expect(steps.slice(at)).toEqual([
      { do: 'forget-key', entry: 'ab12' },
      { do: 'forget-key', entry: 'cd34', mayFail: true },
      { do: 'remove-folder', path: facts.dataDir },
      { do: 'remove-folder', path: facts.configDir },
    ])
    expect(planUninstall({ ...facts, keychainEntries }, false).steps.map(({ do: what }) => what)).not.toContain('forget-key')
  })

  test('uninstall ends the bridge before it removes files', () => {
    const { steps } = planUninstall(facts, true)
    const stop = steps.findIndex((step) => step.do === 'stop-bridge')
    expect(stop).toBeGreaterThanOrEqual(0)
    expect(stop).toBeLessThan(steps.findIndex((step) => step.do === 'remove'))
  })
})

test('a scheme is one of the game, never of the system or of a browser', () => {
  expect(['sallyport', 'discord-123', 'a+b.c'].filter(isUsableScheme)).toHaveLength(3)
  expect(['https', 'file', 'javascript', 'A', '1a', 'a b', 'a;b', ''].filter(isUsableScheme)).toEqual([])
  expect(schemesIn('{"schemes":["ok","https",7]}')).toEqual(['ok'])
  expect(schemesIn('not json')).toEqual([])
  expect(schemesIn(undefined)).toEqual([])
})

test('each step has a line for people', () => {
  expect(stepText({ do: 'run', command: ['a', "it's", 'plain-1'] })).toBe(String.raw`run a 'it'\''s' plain-1`)
  expect(stepText({ do: 'write', path: '/x', text: '' })).toBe('write /x')
  expect(stepText({ do: 'remove-folder', path: '/x' })).toBe('remove the files of Sallyport in /x, and the folder if it is empty then')
  expect(stepText({ do: 'stop-bridge' })).toBe('stop the running bridge')
})
