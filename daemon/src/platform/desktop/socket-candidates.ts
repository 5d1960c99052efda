/** Socket paths of a desktop client: ten slots in the runtime directory and in the directories of its packages below it. Pure. */
import { posix } from 'node:path'
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'

export interface SocketCandidatesOptions {
  /** The runtime directory; ignored for Windows pipes. */
  readonly directory: string
  readonly ipcPrefix: string
  readonly platform: NodeJS.Platform
}

export interface SocketCandidates {
  /** All paths, in the order in which games try them. */
  readonly paths: readonly string[]
  /** Directories to watch, in which a socket or a parent directory may appear; empty for pipes. */
  readonly folders: readonly string[]
  /** Whether a new file or directory with this name may lead to a socket. */
  readonly isRelevant: (name: string) => boolean
}

/** A client in a container, and the directory below the runtime directory in which it puts its sockets. */
export interface PackagedClient {
  readonly folder: readonly string[]
  readonly kind: 'flatpak' | 'snap'
  readonly id: string
}

const PACKAGED_CLIENTS: readonly PackagedClient[] = [
  { folder: ['app', 'com.discordapp.Discord'], kind: 'flatpak', id: 'com.discordapp.Discord' },
  { folder: ['snap.discord'], kind: 'snap', id: 'discord' },
]
const PACKAGE_FOLDERS = PACKAGED_CLIENTS.map(({ folder }) => folder)

/** The client whose directory has this socket; undefined for one in the runtime directory itself. */
export const packagedClientAt = (path: string): PackagedClient | undefined =>
  PACKAGED_CLIENTS.find(({ folder }) => posix.dirname(path).endsWith(`/${folder.join('/')}`))

export function socketCandidates({ directory, ipcPrefix, platform }: SocketCandidatesOptions): SocketCandidates {
  const names = Array.from({ length: SLOT_COUNT }, (_, slot) => slotName(ipcPrefix, slot))
  if (platform === 'win32') return { paths: names.map((name) => `\\\\.\\pipe\\${name}`), folders: [], isRelevant: () => false }
  const below = PACKAGE_FOLDERS.map((parts) => posix.join(directory, ...parts))
  const parents = PACKAGE_FOLDERS.flatMap((parts) =>
    parts.slice(0, -1).map((_, depth) => posix.join(directory, ...parts.slice(0, depth + 1))),
  )
  const known = new Set<string>([...names, ...PACKAGE_FOLDERS.flat()])
  return {
    paths: [directory, ...below].flatMap((folder) => names.map((name) => posix.join(folder, name))),
    folders: [directory, ...parents, ...below],
    isRelevant: (name) => known.has(name),
  }
}
