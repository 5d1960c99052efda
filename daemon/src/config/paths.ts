/** The paths on this machine: sockets by the discovery rule of the protocol, data and settings by the conventions of each system. */
import { posix, win32 } from 'node:path'
import { SettingsError } from './settings-error.ts'

/** The facts that paths depend on. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The platform that the package of this program names; absent or undefined outside of a package. */
  readonly packagePlatform?: () => string | undefined
}

const PIPES = '\\\\?\\pipe\\'
const RUNTIME_VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP']
const FOLDER = { win32: 'Sallyport', darwin: 'Sallyport', other: 'sallyport' }

/** The folder in which games search for sockets. As in games, the first variable that is set decides, even if the folder does not exist. */
export function runtimeDir({ platform, env }: Machine): string {
  if (platform === 'win32') return PIPES
  return RUNTIME_VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== '') ?? '/tmp'
}

/** The default folder for tokens and state. */
export function dataDir({ platform, env, home }: Machine): string {
  if (platform === 'win32') return win32.join(env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local'), FOLDER.win32)
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', FOLDER.darwin)
  return posix.join(env['XDG_DATA_HOME'] || posix.join(home, '.local', 'share'), FOLDER.other)
}

/** The default settings file. */
export function configFile({ platform, env, home }: Machine): string {
  if (platform === 'win32') return win32.join(env['APPDATA'] || win32.join(home, 'AppData', 'Roaming'), FOLDER.win32, 'config.json')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', FOLDER.darwin, 'config.json')
  return posix.join(env['XDG_CONFIG_HOME'] || posix.join(home, '.config'), FOLDER.other, 'config.json')
}

/** Bytes of sun_path, including the terminating zero. */
const SUN_PATH_BYTES: Partial<Record<NodeJS.Platform, number>> = { darwin: 104 }
const SUN_PATH_BYTES_ELSEWHERE = 108

/** The path of slot `slot`, without a doubled slash. */
export const socketPath = (directory: string, ipcPrefix: string, slot: number, platform: NodeJS.Platform): string =>
  platform === 'win32' ? `${directory.replace(/\\*$/, '\\')}${ipcPrefix}-${slot}` : posix.join(directory, `${ipcPrefix}-${slot}`)

/** Throws SettingsError if the socket paths in the folder are too long for the system. */
export function checkSocketLength(directory: string, ipcPrefix: string, platform: NodeJS.Platform): void {
  if (platform === 'win32') return
  const path = socketPath(directory, ipcPrefix, 0, platform)
  const maxBytes = (SUN_PATH_BYTES[platform] ?? SUN_PATH_BYTES_ELSEWHERE) - 1
  const bytes = Buffer.byteLength(path)
  if (bytes > maxBytes) {
    throw new SettingsError(
      `The socket path ${path} has ${bytes} bytes, but this system allows ${maxBytes}. Choose a shorter --runtime-dir in a folder that you own.`,
    )
  }
}
