/**
 * The environment variables that the daemon passes to programs that it starts. Only listed variables pass; settings and secrets of the
 * daemon do not.
 */

/** `keychain`: this program as the helper process that accesses the keychain. `tray`: this program as the tray, or
 * the native helper that shows its icon. */
export type ChildKind = 'browser' | 'game' | 'keychain' | 'tray'

interface PassRule {
  readonly kinds: readonly ChildKind[]
  readonly reason: string
  /** Matches whole names; case-insensitive on Windows. */
  readonly names: RegExp
  /** Values that match do not pass. */
  readonly unless?: RegExp
}

const ALL: readonly ChildKind[] = ['browser', 'game', 'keychain', 'tray']
/** The tray starts browsers. */
const GRAPHICAL: readonly ChildKind[] = ['browser', 'game', 'tray']

const PASS_RULES: readonly PassRule[] = [
  { kinds: ALL, reason: 'the user, and the locations of files and programs', names: /^(?:HOME|USER|LOGNAME|SHELL|PATH)$/ },
  { kinds: ALL, reason: 'the folder of temporary files', names: /^(?:TMPDIR|TMP|TEMP)$/ },
  { kinds: ALL, reason: 'language and time zone', names: /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|__CF_USER_TEXT_ENCODING)$/ },
  { kinds: ALL, reason: 'the services of the desktop session, e.g. the keyring', names: /^(?:DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR)$/ },
  {
    kinds: ALL,
    reason: 'required by every Windows program',
    names:
      /^(?:SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|OS|PROCESSOR_[A-Z0-9]+|NUMBER_OF_PROCESSORS|USERNAME|USERDOMAIN|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|ALLUSERSPROFILE|PUBLIC|PROGRAMFILES|PROGRAMFILES\(X86\)|PROGRAMW6432|COMMONPROGRAMFILES|COMMONPROGRAMFILES\(X86\)|COMMONPROGRAMW6432|SESSIONNAME|COMPUTERNAME)$/,
  },
  { kinds: ['keychain'], reason: 'the compile cache of Node', names: /^NODE_COMPILE_CACHE$/ },
  {
    kinds: GRAPHICAL,
    reason: 'the display and the desktop environment',
    names:
      /^(?:DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XMODIFIERS|SESSION_MANAGER|DESKTOP_SESSION|XDG_[A-Z_]+|GTK[0-9]?_[A-Z_]+|GDK_[A-Z_]+|QT_[A-Z_0-9]+|KDE_[A-Z_]+|GNOME_[A-Z_]+|XCURSOR_[A-Z]+)$/,
  },
  { kinds: GRAPHICAL, reason: 'the terminal', names: /^(?:TERM|COLORTERM)$/ },
  { kinds: GRAPHICAL, reason: 'WSL opens files and URLs in Windows', names: /^(?:WSL_DISTRO_NAME|WSL_INTEROP|WSLENV)$/ },
  { kinds: ['browser', 'tray'], reason: 'the preferred browser and its options', names: /^(?:BROWSER|MOZ_[A-Z_]+)$/ },
  { kinds: GRAPHICAL, reason: 'the network proxy', names: /^(?:(?:HTTP|HTTPS|ALL)_PROXY|(?:http|https|all)_proxy)$/, unless: /@/ },
  { kinds: GRAPHICAL, reason: 'exceptions of the network proxy', names: /^(?:NO_PROXY|no_proxy)$/ },
  {
    kinds: ['game'],
    reason: 'sound, graphics and input of games',
    names:
      /^(?:SDL_[A-Z_0-9]+|PULSE_[A-Z_]+|PIPEWIRE_[A-Z_]+|ALSOFT_[A-Z_]+|VK_[A-Z_]+|MESA_[A-Z_]+|DRI_PRIME|LIBGL_[A-Z_]+|__GLX?_[A-Z_]+|__NV_[A-Z_]+|__VK_[A-Z_]+|RADV_[A-Z_]+|DXVK_[A-Z_]+|VKD3D_[A-Z_]+|MANGOHUD[A-Z_]*|GAMEMODE[A-Z_]*)$/,
  },
  {
    kinds: ['game'],
    reason: 'compatibility layers, and Steam',
    names: /^(?:WINE[A-Z_]*|PROTON_[A-Z_0-9]+|STEAM_[A-Z_]+)$/,
  },
]

/** The environment for a child process of this kind. */
export function childEnvironment(
  kind: ChildKind,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const rows = PASS_RULES.filter(({ kinds: to }) => to.includes(kind))
  const passes = (name: string, value: string) => rows.some(({ names, unless }) => names.test(name) && unless?.test(value) !== true)
  const known = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name)
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== undefined && passes(known(name), value)))
}
