/** The discovery rule: where servers may listen, as a pure function of the environment. */
import { posix } from 'node:path'
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'

export interface SocketCandidate {
  readonly path: string
  readonly slot: number
  /** Contained programs can listen there: what answers is not believed to be a bridge. */
  readonly isPackaged?: true
}

export interface DiscoveryInput {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runtimeDir?: string
  readonly slot?: number
  readonly ipcPrefix: string
  /** See ClientOptions; default false. */
  readonly allowPackagedClient?: boolean
  /** See Environment; default false. */
  readonly isContained?: boolean
  /** See Environment. */
  readonly ownFolder: (directory: string) => string
}

/** The first variable that is set names the directory; the client does not try the later ones. */
const DIRECTORY_VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'] as const

/** Folders below it where packaged desktop clients put their sockets. */
const PACKAGED_CLIENT_FOLDERS = ['app/com.discordapp.Discord', 'snap.discord'] as const

/** Folders that Flatpaks and Snaps can write to, with the name that they have outside: an application's own, and those that it may reach. */
const CONTAINED_FOLDER = /\/(?:app\/[\w-]+(?:\.[\w-]+){2,}|\.flatpak\/[^/]+\/xdg-run|snap\.[^/]+)\/$/

/** Not `path.join`, which normalizes: the path must keep the spelling of the variable, without a doubled slash. */
const within = (directory: string, name: string): string => `${directory.replace(/\/+$/, '')}/${name}`

/** The directory when the options name none. */
function defaultDirectory({ env }: DiscoveryInput): string {
  const variable = DIRECTORY_VARIABLES.find((name) => env[name] !== undefined && env[name] !== '')
  return (variable === undefined ? undefined : env[variable]) ?? '/tmp'
}

/**
 * Directories that can hold sockets, best first. Empty on Windows, where pipes have no directory. If other users can create sockets in the
 * default directory, the client does not trust it, and this user's private folder is the only directory.
 */
export function socketDirectories(input: DiscoveryInput): readonly string[] {
  const { platform, runtimeDir } = input
  if (platform === 'win32') return []
  if (runtimeDir !== undefined) return [runtimeDir]
  const directory = defaultDirectory(input)
  const own = input.ownFolder(directory)
  if (own !== directory) return [own]
  return platform === 'linux' ? [directory, ...PACKAGED_CLIENT_FOLDERS.map((folder) => within(directory, folder))] : [directory]
}

/** Whether contained programs can listen in a directory. A container has no other folder than these, so inside of one they count as any other. */
function isPackaged(directory: string, { platform, isContained = false }: DiscoveryInput): boolean {
  if (platform !== 'linux' || isContained) return false
  return CONTAINED_FOLDER.test(posix.join('/', directory, '/'))
}

/**
 * Directories to watch for new sockets: also the default directory, since the private folder may not exist yet; and none where contained
 * programs could make the client search without end.
 */
export function watchedDirectories(input: DiscoveryInput): readonly string[] {
  const directories = socketDirectories(input).filter((directory) => input.allowPackagedClient === true || !isPackaged(directory, input))
  const isChosen = input.platform === 'win32' || input.runtimeDir !== undefined
  return isChosen ? directories : [...new Set([defaultDirectory(input), ...directories])]
}

/** Every socket to try, in order: slots ascending in the best directory, then in the next. */
export function socketCandidates(input: DiscoveryInput): readonly SocketCandidate[] {
  const slots = input.slot === undefined ? Array.from({ length: SLOT_COUNT }, (_, slot) => slot) : [input.slot]
  if (input.platform === 'win32') return slots.map((slot) => ({ slot, path: `\\\\?\\pipe\\${slotName(input.ipcPrefix, slot)}` }))
  return socketDirectories(input).flatMap((directory) => {
    const packaged = isPackaged(directory, input) ? { isPackaged: true as const } : {}
    return slots.map((slot) => ({ slot, path: within(directory, slotName(input.ipcPrefix, slot)), ...packaged }))
  })
}
