/** The files of the Linux packages, and their scripts. */
import { join } from 'node:path'
import { SANDBOX_IPC_PREFIX } from '../../core/src/platform-names.ts'
import {
  DESKTOP_NAME,
  handlerEntry,
  serviceUnit,
  socketUnit,
  TRAY_DESKTOP_NAME,
  trayEntry,
  UNIT_NAMES,
} from '../../src/install/linux-files.ts'
import { WINE_BRIDGE } from '../../src/install/wine.ts'
import { ICONS } from '../icons.ts'
import { commandLineFiles } from './command-line-files.ts'
import type { InstallerInput } from './installer.ts'
import type { PayloadFile } from './payload.ts'

const PROGRAM = '/usr/bin/sallyport'
const UNITS = 'usr/lib/systemd/user'
const SCHEME = 'sallyport'

/** Where the user's systemd runs, its socket starts the bridge. */
const AUTOSTART_SCRIPT = `#!/bin/sh
# The desktop runs this at login.
[ -S "\${XDG_RUNTIME_DIR:-}/systemd/private" ] || exec ${PROGRAM} run
`

const AUTOSTART_ENTRY = `[Desktop Entry]
Type=Application
Name=Sallyport
Icon=sallyport
Terminal=false
NoDisplay=true
Exec=/usr/lib/sallyport/autostart
`

export type LinuxParts = Pick<InstallerInput, 'root' | 'executable' | 'wineBridge'>

/** The files of a package for every user of a machine. */
export const linuxPayload = async ({ root, executable, wineBridge }: LinuxParts): Promise<readonly PayloadFile[]> => [
  { path: 'usr/bin/sallyport', from: executable, isProgram: true },
  { path: 'usr/lib/sallyport/autostart', text: AUTOSTART_SCRIPT, isProgram: true },
  ...(wineBridge === undefined ? [] : [{ path: `usr/lib/sallyport/${WINE_BRIDGE}`, from: wineBridge }]),
  { path: 'etc/xdg/autostart/sallyport.desktop', text: AUTOSTART_ENTRY },
  { path: `etc/xdg/autostart/${TRAY_DESKTOP_NAME}`, text: trayEntry([PROGRAM], []) },
  { path: `${UNITS}/${UNIT_NAMES.socket}`, text: socketUnit(SANDBOX_IPC_PREFIX, undefined) },
  { path: `${UNITS}/${UNIT_NAMES.service}`, text: serviceUnit([PROGRAM], []) },
  // Enabled for every user; "systemctl --user mask sallyport.socket" disables it for one.
  { path: `${UNITS}/sockets.target.wants/${UNIT_NAMES.socket}`, link: `../${UNIT_NAMES.socket}` },
  { path: `usr/share/applications/${DESKTOP_NAME}`, text: handlerEntry([PROGRAM], [SCHEME]) },
  { path: 'usr/share/icons/hicolor/scalable/apps/sallyport.svg', from: ICONS.svg },
  ...(await commandLineFiles()).map((file) => ({ ...file, path: `usr/share/${file.path}` })),
  { path: 'usr/share/doc/sallyport/copyright', from: join(root, 'LICENSE') },
  { path: 'usr/share/doc/sallyport/changelog.md', from: join(root, 'CHANGELOG.md') },
]

/** Files that the administrator may change, and that a purge removes. */
export const CONFIGURATION_FILES = ['/etc/xdg/autostart/sallyport.desktop', `/etc/xdg/autostart/${TRAY_DESKTOP_NAME}`]

/**
 * Shell functions of the scripts. A bridge that a socket started comes back at the next connection, and its games with it: their clients
 * connect again. One of the desktop's autostart would not, so an upgrade leaves it running until the user logs in again.
 */
export const SCRIPT_FUNCTIONS = `# Calls "$2" with the process id of each process that runs the command "$1" of this package, also of one that was replaced.
each_process() {
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/exe" 2>/dev/null)" in
      "\${DPKG_ROOT:-}${PROGRAM}" | "\${DPKG_ROOT:-}${PROGRAM} (deleted)" | "\${DPKG_ROOT:-}${PROGRAM}.dpkg-tmp (deleted)") ;;
      *) continue ;;
    esac
    # Not a command that ends by itself, and not the helper of the keychain.
    tr '\\0' '\\n' <"$process/cmdline" 2>/dev/null | sed -n 2p | grep -qx "$1" || continue
    "$2" "\${process#/proc/}"
  done
}
stop() {
  kill -TERM "$1" 2>/dev/null || :
}
stop_if_activated() {
  if tr '\\0' '\\n' <"/proc/$1/environ" 2>/dev/null | grep -q '^LISTEN_FDS='; then stop "$1"; fi
}
# The managers of users who are logged in.
each_user() {
  [ -z "\${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || return 0
  for manager in /run/user/*/systemd/private; do
    [ -S "$manager" ] || continue
    user="\${manager#/run/user/}"
    systemctl --user --machine="\${user%%/*}@.host" "$@" >/dev/null 2>&1 || :
  done
}
`

/** After the files are there: the socket is opened for logged-in users, and a running bridge makes place for the new one. */
export const AFTER_INSTALL = `each_user daemon-reload
each_user start ${UNIT_NAMES.socket}
each_process run stop_if_activated
`

/** Before the files go. */
export const BEFORE_REMOVAL = `each_user stop ${UNIT_NAMES.socket} ${UNIT_NAMES.service}
each_process run stop
each_process tray stop
`

export const AFTER_REMOVAL = `each_user daemon-reload
`
