/** Where a desktop client may listen: ten slots in the folder where games look, and in the folders of its packages below it. Pure. */
import { posix } from 'node:path'
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'

export interface PlacesOptions {
  /** Where games look for sockets; ignored for Windows pipes. */
  readonly directory: string
  readonly ipcPrefix: string
  readonly platform: NodeJS.Platform
}

export interface Places {
  /** Every path, in the order in which games try them. */
  readonly paths: readonly string[]
  /** Folders in which one of them, or a folder on the way to one, may appear; none where there is nothing to watch. */
  readonly folders: readonly string[]
  /** Whether a new file or folder of this name may matter. */
  readonly matters: (name: string) => boolean
}

/** Below the runtime folder: the packages of Flatpak and Snap have their sockets there. */
const PACKAGE_FOLDERS = [['app', 'com.discordapp.Discord'], ['snap.discord']] as const

export function placesOf({ directory, ipcPrefix, platform }: PlacesOptions): Places {
  const names = Array.from({ length: SLOT_COUNT }, (_, slot) => slotName(ipcPrefix, slot))
  if (platform === 'win32') return { paths: names.map((name) => `\\\\.\\pipe\\${name}`), folders: [], matters: () => false }
  const below = PACKAGE_FOLDERS.map((parts) => posix.join(directory, ...parts))
  const onTheWay = PACKAGE_FOLDERS.flatMap((parts) =>
    parts.slice(0, -1).map((_, depth) => posix.join(directory, ...parts.slice(0, depth + 1))),
  )
  const known = new Set<string>([...names, ...PACKAGE_FOLDERS.flat()])
  return {
    paths: [directory, ...below].flatMap((folder) => names.map((name) => posix.join(folder, name))),
    folders: [directory, ...onTheWay, ...below],
    matters: (name) => known.has(name),
  }
}
