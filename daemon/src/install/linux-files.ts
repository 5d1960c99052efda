/** The texts of the files on Linux: systemd units, autostart entry and URL handler. Packages and `sallyport install` use the same. */
import { wineSocketName } from '@sallyport/core/platform-names'
import { slotName } from '@sallyport/protocol/wire'
import type { CommandLine } from './steps.ts'

/** Seconds without a game after which a socket-activated bridge ends. The next connection starts it again. */
const IDLE_EXIT_SECONDS = 3600

export const UNIT_NAMES = { socket: 'sallyport.socket', service: 'sallyport.service', tray: 'sallyport-tray.service' } as const
export const DESKTOP_NAME = 'sallyport.desktop'
export const TRAY_DESKTOP_NAME = 'sallyport-tray.desktop'
/** The entry in the menu of the desktop, which opens the dashboard. Notifications name it too. */
export const DASHBOARD_DESKTOP_NAME = 'sallyport-dashboard.desktop'

const BACKLOG = 4096

/**
 * Seconds from the end of a bridge that failed to the next one. The connections of games wait meanwhile. Systemd would end its starts after five
 * in ten seconds, and the socket with them: no game would be served until the next login. So it starts the bridge without a limit, and this
 * bounds what starts cost that fail again and again: a tenth of a second of a processor each.
 */
const RESTART_SECONDS = 3

/** A word of a command line in a unit: quoted, and without its specifiers and variables. */
const unitWord = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

/** Below the runtime folder. Systemd removes what is in the place of a socket, so its sockets are where no other program has any. */
const ACTIVATION_FOLDER = 'sallyport'

/** Where systemd listens for the bridge. The slot of games is a second name of this socket. */
export const activationPath = (runtimeDir: string, ipcPrefix: string): string =>
  `${runtimeDir}/${ACTIVATION_FOLDER}/${slotName(ipcPrefix, 0)}`

/**
 * Names the sockets where games look. A link never replaces a name, so a server that has the slot keeps it. Then the bridge starts: it takes
 * the next slot, and this one once it is free; its log says so, and not the link.
 */
const NAME_SOCKETS = `cd "$1" && ln -T "${ACTIVATION_FOLDER}/$2" "$2" 2>/dev/null && ln -T "${ACTIVATION_FOLDER}/$3" "$3" || systemctl --user --no-block start ${UNIT_NAMES.service}`

/** Removes every name of the sockets. A name is moved first and then looked at, so that none of another server goes. */
const REMOVE_NAMES = `cd "$1/${ACTIVATION_FOLDER}" && for name in ../"\${2%0}"[0-9] ../"\${3%0}"[0-9]; do [ "$name" -ef "$2" ] || [ "$name" -ef "$3" ] || continue; mv -T "$name" gone && { [ gone -ef "$2" ] || [ gone -ef "$3" ] || ln -T gone "$name"; rm -f gone; }; done`

/** `runtimeDir`: absolute, or undefined for the user's runtime folder, which is a specifier of systemd. */
function socketUnitIn(runtimeDir: string | undefined, slot: string): string {
  const names = [slot, wineSocketName(slot)]
  const folder = runtimeDir === undefined ? '%t' : runtimeDir.replaceAll('%', '%%')
  const word = runtimeDir === undefined ? '"%t"' : unitWord(runtimeDir)
  const line = (script: string): string => [...['/bin/sh', '-c', script, 'sh'].map(unitWord), word, ...names.map(unitWord)].join(' ')
  return `[Unit]
Description=Sallyport, socket for games
Documentation=man:sallyport(1)
# Users and packages start it, and it never starts itself again. At a limit of starts no game would find the bridge until the next login.
StartLimitIntervalSec=0

[Socket]
${names.map((name) => `ListenStream=${folder}/${ACTIVATION_FOLDER}/${name}`).join('\n')}
SocketMode=0600
DirectoryMode=0700
Backlog=${BACKLOG}
RemoveOnStop=yes
ExecStartPost=-${line(NAME_SOCKETS)}
ExecStopPre=-${line(REMOVE_NAMES)}
`
}

/**
 * What the service may not do. Nothing here makes a mount or user namespace: in one of its own the bridge would see other files than games, and
 * each game would be a stranger. So these stay away: PrivateTmp, PrivateDevices, PrivateUsers, ProtectSystem, ProtectHome, ProtectProc,
 * ProtectKernelTunables, ProtectKernelModules, ProtectKernelLogs, ProtectControlGroups, and ProtectHostname, for which systemd 257 makes a user
 * namespace.
 */
const CONFINEMENT = `NoNewPrivileges=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
KeyringMode=private
UMask=0077
DevicePolicy=closed
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
# Netlink: Node lists the interfaces of the machine.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
# Not MemoryDenyWriteExecute: V8 compiles. Not ProtectClock and CapabilityBoundingSet: a user's systemd may not drop capabilities.
# Not IPAddressDeny and PrivateNetwork: the platform is in the internet. Not those that make a mount namespace: games would be strangers.
`

/**
 * One arena for the allocations of all threads. V8's threads compile in bursts, and what is free in the arena of one is of no use to another.
 * It is no setting of the daemon, because these threads have their arenas before its first line runs. No launched game gets the variable.
 */
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const

/** Of the table of exit codes: `usage` and `newerData`. */
const EXIT_STATUSES_THAT_STAY = [2, 6]

/**
 * What ends in the same way again is started by a waiting game only. Systemd would start it at once, over and over, and after twenty starts in two
 * seconds it would end the socket: so the next start waits as others do.
 */
const WAIT_BEFORE_NEXT = `case $EXIT_STATUS in ${EXIT_STATUSES_THAT_STAY.join('|')}) sleep ${RESTART_SECONDS};; esac`

/** `flags`: settings of `run`. */
export const serviceUnit = (program: CommandLine, flags: readonly string[]): string => `[Unit]
Description=Sallyport, bridge between games and a platform
Documentation=man:sallyport(1)
Requires=${UNIT_NAMES.socket}
After=${UNIT_NAMES.socket}
StartLimitIntervalSec=0

[Service]
ExecStart=${[...program, 'run', '--idle-exit', String(IDLE_EXIT_SECONDS), ...flags].map(unitWord).join(' ')}
${Object.entries(SERVICE_ENVIRONMENT)
  .map(([name, value]) => `Environment=${name}=${value}`)
  .join('\n')}
Restart=on-failure
RestartSec=${RESTART_SECONDS}
# A wrong setting, and data of a newer version: another start would end in the same way. A game that waits causes one all the same, and not at once.
RestartPreventExitStatus=${EXIT_STATUSES_THAT_STAY.join(' ')}
ExecStopPost=-${['/bin/sh', '-c', WAIT_BEFORE_NEXT].map(unitWord).join(' ')}
# Games that an earlier version launched go on without it. Now they, and browsers, run in units of their own.
KillMode=process
${CONFINEMENT}`

/** For a unit that its user enables. A package links its own instead, which is then static: nothing enables or disables it for one user. */
export const ENABLED_AT_LOGIN = `
[Install]
WantedBy=sockets.target
`

/** The tray, for a script that has no desktop of its own. At login the desktop starts it. What it opens goes on without it. */
export const trayUnit = (program: CommandLine): string => `[Unit]
Description=Sallyport, icon in the tray of the desktop
Documentation=man:sallyport(1)

[Service]
ExecStart=${[...program, 'tray', '--if-desktop'].map(unitWord).join(' ')}
KillMode=process
`

/** The sockets are in systemd's runtime folder, unless the user chose one. */
export const socketUnit = (ipcPrefix: string, runtimeDir: string | undefined): string => socketUnitIn(runtimeDir, slotName(ipcPrefix, 0))

/** By the rules of a string in a desktop file. */
const desktopString = (text: string): string => text.replaceAll('\\', '\\\\')

/** A word of `Exec`, quoted by the rules of that key where it must be: some tools take the quotes for a part of the name. */
function desktopWord(word: string): string {
  if (/^[\w@+:,./=-]+$/.test(word)) return word
  return desktopString(`"${word.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`)
}

const desktopLine = (words: readonly string[]): string => words.map(desktopWord).join(' ')

const desktopEntry = (name: string, lines: readonly string[]): string =>
  ['[Desktop Entry]', 'Type=Application', `Name=${name}`, 'Icon=sallyport', 'Terminal=false', ...lines, ''].join('\n')

/** The desktop ignores an entry whose program is gone, for example one that a removed package leaves in place. */
const ifThere = ([program]: CommandLine): string => `TryExec=${desktopString(program)}`

/** Starts the bridge at login where no systemd does. */
export const autostartEntry = (program: CommandLine, flags: readonly string[]): string =>
  desktopEntry('Sallyport', [ifThere(program), `Exec=${desktopLine([...program, 'run', ...flags])}`, 'X-GNOME-Autostart-enabled=true'])

/** Shows the icon in the tray at login. */
export const trayEntry = (program: CommandLine, flags: readonly string[]): string =>
  desktopEntry('Sallyport tray', [
    ifThere(program),
    `Exec=${desktopLine([...program, 'tray', ...flags])}`,
    'NoDisplay=true',
    'X-GNOME-Autostart-enabled=true',
  ])

/** In the menu of the desktop: opens the dashboard. */
export const dashboardEntry = (program: CommandLine, flags: readonly string[]): string =>
  desktopEntry('Sallyport', [
    'Comment=See and choose what games may do with your account',
    `Exec=${desktopLine([...program, 'open', ...flags])}`,
    'Categories=Game;',
    'Keywords=games;presence;permissions;',
  ])

/** Delivers authorization callbacks of URL schemes to the bridge. */
export const handlerEntry = (program: CommandLine, schemes: readonly string[]): string =>
  desktopEntry('Sallyport authorization', [
    // Without quotes, because the desktop replaces the code.
    `Exec=${desktopLine([...program, 'callback'])} -- %u`,
    ifThere(program),
    'NoDisplay=true',
    `MimeType=${schemes.map((scheme) => `x-scheme-handler/${scheme};`).join('')}`,
  ])
