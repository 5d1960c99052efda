/** Where servers may listen: the discovery rule as a pure function of the environment. */
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'

export interface Place {
  readonly path: string
  readonly slot: number
}

export interface DiscoveryInput {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runtimeDir?: string
  readonly slot?: number
  readonly ipcPrefix: string
  /** As in Ports. */
  readonly ownFolder: (directory: string) => string
}

/** The first of these that is set names the directory; later ones are not tried when nothing listens there. */
const DIRECTORY_VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'] as const

/** Folders below it where packaged desktop clients put their sockets. */
const PACKAGED_CLIENT_FOLDERS = ['app/com.discordapp.Discord', 'snap.discord'] as const

/** Not `path.join`: the path must stay as the variable spells it, without a doubled slash. */
const within = (directory: string, name: string): string => `${directory.replace(/\/+$/, '')}/${name}`

/** What the rule names when nobody chose a directory. */
function usualDirectory({ env }: DiscoveryInput): string {
  const variable = DIRECTORY_VARIABLES.find((name) => env[name] !== undefined && env[name] !== '')
  return (variable === undefined ? undefined : env[variable]) ?? '/tmp'
}

/**
 * Directories that can hold sockets, best first. Empty on Windows, where pipes have no directory. Where others may put sockets into the usual
 * directory, none of them is trusted, and this user's own folder is the only one.
 */
export function socketDirectories(input: DiscoveryInput): readonly string[] {
  const { platform, runtimeDir } = input
  if (platform === 'win32') return []
  if (runtimeDir !== undefined) return [runtimeDir]
  const directory = usualDirectory(input)
  const own = input.ownFolder(directory)
  if (own !== directory) return [own]
  return platform === 'linux' ? [directory, ...PACKAGED_CLIENT_FOLDERS.map((folder) => within(directory, folder))] : [directory]
}

/** Directories in which the appearing of a socket means that a server has come: the usual one too, which exists when the own one may not. */
export function watchedDirectories(input: DiscoveryInput): readonly string[] {
  const directories = socketDirectories(input)
  const isChosen = input.platform === 'win32' || input.runtimeDir !== undefined
  return isChosen ? directories : [...new Set([usualDirectory(input), ...directories])]
}

/** Every place to try, in order: slots ascending in the best directory, then in the next. */
export function placesToTry(input: DiscoveryInput): readonly Place[] {
  const slots = input.slot === undefined ? Array.from({ length: SLOT_COUNT }, (_, slot) => slot) : [input.slot]
  if (input.platform === 'win32') return slots.map((slot) => ({ slot, path: `\\\\?\\pipe\\${slotName(input.ipcPrefix, slot)}` }))
  return socketDirectories(input).flatMap((directory) =>
    slots.map((slot) => ({ slot, path: within(directory, slotName(input.ipcPrefix, slot)) })),
  )
}
