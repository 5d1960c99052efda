/** The files of the Linux packages, and their scripts. */
import { SANDBOX_IPC_PREFIX } from '../../core/src/platform-names.ts'
import {
  DASHBOARD_DESKTOP_NAME,
  dashboardEntry,
  DESKTOP_NAME,
  handlerEntry,
  serviceUnit,
  socketUnit,
  TRAY_DESKTOP_NAME,
  trayEntry,
  trayUnit,
  UNIT_NAMES,
} from '../../src/install/linux-files.ts'
import { WINE_BRIDGE } from '../../src/install/wine.ts'
import { iconFiles } from '../icons.ts'
import { METAINFO_ID } from './about.ts'
import { commandLineFiles } from './command-line-files.ts'
import { gzipped } from './compressed.ts'
import type { InstallerInput } from './installer.ts'
import { metainfo } from './metainfo.ts'
import { packageFile, type PayloadFile } from './payload.ts'

const PROGRAM = '/usr/bin/sallyport'
const UNITS = 'usr/lib/systemd/user'
const SCHEME = 'sallyport'
/** For one answer of a user's systemd. */
const MANAGER_SECONDS = 10

/** Where the user's systemd runs, its socket starts the bridge. */
const AUTOSTART_SCRIPT = `#!/bin/sh
# The desktop runs this at login.
[ -S "\${XDG_RUNTIME_DIR:-}/systemd/private" ] || exec ${PROGRAM} run
`

/** It stays after a removal that keeps the files of the administrator, and does nothing then. */
const AUTOSTART_ENTRY = `[Desktop Entry]
Type=Application
Name=Sallyport
Icon=sallyport
Terminal=false
NoDisplay=true
TryExec=${PROGRAM}
Exec=/usr/lib/sallyport/autostart
`

type LinuxParts = Pick<InstallerInput, 'version' | 'time' | 'executable' | 'wineBridge'>

/** Systems compress the manuals that they install. */
const compressedManual = (file: PayloadFile): PayloadFile =>
  file.path.startsWith('man/') && 'text' in file ? { path: `${file.path}.gz`, text: gzipped(file.text) } : file

/** The files of a package for every user of a machine, but for what each kind of package says of itself. */
export const linuxPayload = async ({ version, time, executable, wineBridge }: LinuxParts): Promise<readonly PayloadFile[]> => [
  { path: 'usr/bin/sallyport', from: executable, isProgram: true },
  { path: 'usr/lib/sallyport/autostart', text: AUTOSTART_SCRIPT, isProgram: true },
  packageFile('usr/lib/sallyport/'),
  ...(wineBridge === undefined ? [] : [{ path: `usr/lib/sallyport/${WINE_BRIDGE}`, from: wineBridge }]),
  { path: 'etc/xdg/autostart/sallyport.desktop', text: AUTOSTART_ENTRY },
  { path: `etc/xdg/autostart/${TRAY_DESKTOP_NAME}`, text: trayEntry([PROGRAM], []) },
  { path: `${UNITS}/${UNIT_NAMES.socket}`, text: socketUnit(SANDBOX_IPC_PREFIX, undefined) },
  { path: `${UNITS}/${UNIT_NAMES.service}`, text: serviceUnit([PROGRAM], []) },
  { path: `${UNITS}/${UNIT_NAMES.tray}`, text: trayUnit([PROGRAM]) },
  // Started for every user; "systemctl --user mask sallyport.socket" keeps it from one.
  { path: `${UNITS}/sockets.target.wants/${UNIT_NAMES.socket}`, link: `../${UNIT_NAMES.socket}` },
  { path: `usr/share/applications/${DASHBOARD_DESKTOP_NAME}`, text: dashboardEntry([PROGRAM], []) },
  { path: `usr/share/applications/${DESKTOP_NAME}`, text: handlerEntry([PROGRAM], [SCHEME]) },
  { path: `usr/share/metainfo/${METAINFO_ID}.metainfo.xml`, text: metainfo(version, time) },
  ...[...iconFiles(), ...(await commandLineFiles())].map(compressedManual).map((file) => ({ ...file, path: `usr/share/${file.path}` })),
]

/** Files that the administrator may change, and that a purge removes. */
export const CONFIGURATION_FILES = ['/etc/xdg/autostart/sallyport.desktop', `/etc/xdg/autostart/${TRAY_DESKTOP_NAME}`]

/**
 * Shell functions of the scripts. A bridge that a socket started comes back at the next connection, and its games with it: their clients
 * connect again. One of the desktop's autostart would not, so an upgrade leaves it running until the user logs in again.
 *
 * A path of a process counts in the mount namespace of the machine only, because any user can show another file at it in one of their own. The
 * folder of a process in /proc is held while it is looked at: it never becomes that of a later process with the same id.
 */
export const SCRIPT_FUNCTIONS = `# Calls "$2" with the process id of each process that runs the command "$1" of this package, also of one that was replaced.
each_process() {
  # That of the machine: rpm 4.20 runs scripts in one of their own. Where no script may look at the first process, its own.
  here="$(readlink /proc/1/ns/mnt || readlink /proc/self/ns/mnt)"
  for process in /proc/[0-9]*; do
    (
      cd "$process" 2>/dev/null || exit 0
      case "$(readlink exe 2>/dev/null)" in
        "\${DPKG_ROOT:-}${PROGRAM}" | "\${DPKG_ROOT:-}${PROGRAM} (deleted)" | "\${DPKG_ROOT:-}${PROGRAM}.dpkg-tmp (deleted)") ;;
        *) exit 0 ;;
      esac
      [ "$(readlink ns/mnt 2>/dev/null)" = "$here" ] || exit 0
      # Not a command that ends by itself, and not the helper of the keychain.
      tr '\\0' '\\n' <cmdline 2>/dev/null | sed -n 2p | grep -qx "$1" || exit 0
      "$2" "\${process#/proc/}"
    )
  done
}
# In the folder of the process, which has no file when the process has ended.
stop() {
  [ -e status ] && kill -TERM "$1" 2>/dev/null || :
}
# The same, and waits for its end, five seconds at most: what takes its place must not meet it.
stop_and_wait() {
  stop "$1"
  tries=50
  while [ "$tries" -gt 0 ] && readlink exe >/dev/null 2>&1; do tries=$((tries - 1)); sleep 0.1; done
}
stop_if_activated() {
  if tr '\\0' '\\n' <environ 2>/dev/null | grep -q '^LISTEN_FDS='; then stop "$1"; fi
}
# The managers of users who are logged in. A manager belongs to its user, so it may answer late or never; then it is not asked again.
silent=' '
each_user() {
  [ -z "\${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || return 0
  for manager in /run/user/*/systemd/private; do
    [ -S "$manager" ] && [ ! -h "$manager" ] || continue
    user="\${manager#/run/user/}"
    user="\${user%%/*}"
    case "$silent" in *" $user "*) continue ;; esac
    # From 124 on: it took too long.
    timeout -k 1 ${MANAGER_SECONDS} systemctl --user --machine="$user@.host" --no-block "$@" >/dev/null 2>&1 || [ "$?" -lt 124 ] || silent="$silent$user "
  done
}
`

/**
 * After the files are there: a running bridge and tray make place for the new ones, and the socket is opened for logged-in users. In this order, because
 * the socket starts the new bridge at once where another server has the first slot.
 */
export const AFTER_INSTALL = `each_user daemon-reload
each_process run stop_if_activated
each_process tray stop_and_wait
each_user start ${UNIT_NAMES.socket}
each_user start ${UNIT_NAMES.tray}
`

/** Before the files go. */
export const BEFORE_REMOVAL = `each_user stop ${UNIT_NAMES.socket} ${UNIT_NAMES.service}
each_process run stop
each_process tray stop
`

export const AFTER_REMOVAL = `each_user daemon-reload
`
