/**
 * What of the daemon's environment a program that it starts is given. A table of what passes: whatever else stands there, settings of the
 * daemon and secrets among it, does not.
 */

/** `keychain`: this program again, as the helper that asks the keychain. */
export type ChildKind = 'browser' | 'game' | 'keychain'

interface Passing {
  readonly to: readonly ChildKind[]
  readonly because: string
  /** Whole names; on Windows in any case. */
  readonly names: RegExp
  /** A value of this form does not pass. */
  readonly unless?: RegExp
}

const ALL: readonly ChildKind[] = ['browser', 'game', 'keychain']
const SHOWN: readonly ChildKind[] = ['browser', 'game']

const PASSING: readonly Passing[] = [
  { to: ALL, because: 'who the user is, and where their files and programs lie', names: /^(?:HOME|USER|LOGNAME|SHELL|PATH)$/ },
  { to: ALL, because: 'where temporary files go', names: /^(?:TMPDIR|TMP|TEMP)$/ },
  { to: ALL, because: 'language and time zone', names: /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|__CF_USER_TEXT_ENCODING)$/ },
  { to: ALL, because: 'the services of the session, the keyring among them', names: /^(?:DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR)$/ },
  {
    to: ALL,
    because: 'without these no program of Windows finds its system or its user',
    names:
      /^(?:SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|OS|PROCESSOR_[A-Z0-9]+|NUMBER_OF_PROCESSORS|USERNAME|USERDOMAIN|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|ALLUSERSPROFILE|PUBLIC|PROGRAMFILES|PROGRAMFILES\(X86\)|PROGRAMW6432|COMMONPROGRAMFILES|COMMONPROGRAMFILES\(X86\)|COMMONPROGRAMW6432|SESSIONNAME|COMPUTERNAME)$/,
  },
  { to: ['keychain'], because: 'what was compiled once need not be again', names: /^NODE_COMPILE_CACHE$/ },
  {
    to: SHOWN,
    because: 'the screen, and how a desktop wants its windows',
    names:
      /^(?:DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XMODIFIERS|SESSION_MANAGER|DESKTOP_SESSION|XDG_[A-Z_]+|GTK[0-9]?_[A-Z_]+|GDK_[A-Z_]+|QT_[A-Z_0-9]+|KDE_[A-Z_]+|GNOME_[A-Z_]+|XCURSOR_[A-Z]+)$/,
  },
  { to: SHOWN, because: 'the terminal it may be shown in', names: /^(?:TERM|COLORTERM)$/ },
  { to: SHOWN, because: 'a Linux inside Windows opens things outside', names: /^(?:WSL_DISTRO_NAME|WSL_INTEROP|WSLENV)$/ },
  { to: ['browser'], because: 'which browser the user wants, and how', names: /^(?:BROWSER|MOZ_[A-Z_]+)$/ },
  { to: SHOWN, because: 'the way into the network', names: /^(?:(?:HTTP|HTTPS|ALL)_PROXY|(?:http|https|all)_proxy)$/, unless: /@/ },
  { to: SHOWN, because: 'where that way is not taken', names: /^(?:NO_PROXY|no_proxy)$/ },
  {
    to: ['game'],
    because: 'sound, graphics and input of games',
    names:
      /^(?:SDL_[A-Z_0-9]+|PULSE_[A-Z_]+|PIPEWIRE_[A-Z_]+|ALSOFT_[A-Z_]+|VK_[A-Z_]+|MESA_[A-Z_]+|DRI_PRIME|LIBGL_[A-Z_]+|__GLX?_[A-Z_]+|__NV_[A-Z_]+|__VK_[A-Z_]+|RADV_[A-Z_]+|DXVK_[A-Z_]+|VKD3D_[A-Z_]+|MANGOHUD[A-Z_]*|GAMEMODE[A-Z_]*)$/,
  },
  {
    to: ['game'],
    because: 'games of other systems, and the shop that runs them',
    names: /^(?:WINE[A-Z_]*|PROTON_[A-Z_0-9]+|STEAM_[A-Z_]+)$/,
  },
]

/** The environment for a program of this kind. */
export function childEnvironment(
  kind: ChildKind,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const rows = PASSING.filter(({ to }) => to.includes(kind))
  const passes = (name: string, value: string) => rows.some(({ names, unless }) => names.test(name) && unless?.test(value) !== true)
  const known = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name)
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== undefined && passes(known(name), value)))
}
