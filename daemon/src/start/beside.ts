/**
 * Sockets for games that do not see the usual one: in folders of containers, opened after the ready line, because other games do not wait for them;
 * and for pipe bridges of Wine prefixes, which listen before the slot has its name.
 */
import type { LogEvent } from '@sallyport/core/log-events'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { openSocketFolder } from '@sallyport/core/storage/safe-folder'
import type { Settings } from '../config/load.ts'
import { openSlotFolder } from '../ipc/transport/address.ts'
import type { BoundSlot, LocalSocket, LocalSockets } from '../ipc/transport/local.ts'
import { keepNames } from '../ipc/transport/name-keeper.ts'
import type { Notice } from './notice.ts'

export interface Beside {
  /** In the folders of containers. */
  readonly sockets: readonly LocalSocket[]
  /** Undefined where there is no Wine, and when it cannot be opened. */
  readonly wine: LocalSocket | undefined
  /** Why some are missing. */
  readonly notices: readonly Notice[]
  close(): Promise<void>
}

type Local = Pick<LocalSockets, 'ownAddress' | 'isActivated' | 'names' | 'openForWine' | 'openIn'>

/** A game that waits for the daemon is served first. */
const KEEP_AFTER_MS = 500

/** Flatpak makes the folders of its applications itself, and removes unknown ones. */
const MADE_BY_FLATPAK = '.flatpak/'

/** Never rejects: the bridge serves other games without them. */
export async function openBeside(
  local: Local,
  { runtimeDir, containerFolders }: Pick<Settings, 'runtimeDir' | 'containerFolders'>,
): Promise<Beside> {
  const notices: Notice[] = []
  const attempt = async (event: LogEvent, open: () => Promise<BoundSlot | undefined>): Promise<BoundSlot | undefined> => {
    try {
      return await open()
    } catch (err) {
      notices.push({ level: 'warn', event, fields: { err } })
      return undefined
    }
  }
  const wine = await attempt('wine-socket-not-opened', local.openForWine)
  const sockets: BoundSlot[] = []
  for (const folder of foldersBelow(local, { runtimeDir, containerFolders })) {
    const opened = await attempt('container-folder-not-served', () => openInFolder(local, folder))
    if (opened !== undefined) sockets.push(opened)
  }
  const all = wine === undefined ? sockets : [wine, ...sockets]
  const names = [...local.names, ...sockets.flatMap(({ name }) => name ?? [])]
  let keeper: ReturnType<typeof keepNames> | undefined
  const timer = setTimeout(() => {
    keeper = keepNames(names).catch(() => undefined)
  }, KEEP_AFTER_MS)
  timer.unref()
  const close = async (): Promise<void> => {
    clearTimeout(timer)
    await Promise.all(all.map((one) => one.close()))
    ;(await keeper)?.close()
  }
  return { sockets, wine, notices, close }
}

/** None where other users can write: container folders are below the runtime folder of this user. Systemd's socket is in a folder below it. */
function foldersBelow(
  { ownAddress, isActivated }: Local,
  { runtimeDir, containerFolders }: Parameters<typeof openBeside>[1],
): readonly string[] {
  if (process.platform !== 'linux' || containerFolders === 'off') return []
  if (ownAddress === undefined) return []
  const own = dirname(ownAddress)
  if (![own, ...(isActivated ? [dirname(own)] : [])].includes(resolve(runtimeDir))) return []
  const isServed = (folder: string): boolean => !folder.startsWith(MADE_BY_FLATPAK) || existsSync(join(runtimeDir, folder))
  return containerFolders.filter(isServed).map((folder) => join(runtimeDir, folder))
}

/** The socket, and at its end the removal of the folders that were made for it. */
async function openInFolder({ openIn }: Local, folder: string): Promise<BoundSlot> {
  const made = missingFolders(folder)
  const removeMade = (): void => made.toReversed().forEach(removeIfEmpty)
  try {
    for (const one of made) mkdirSync(one, { mode: 0o700 })
    openSlotFolder(folder, openSocketFolder)
    const opened = await openIn(folder)
    return { ...opened, close: () => opened.close().then(removeMade) }
  } catch (failure) {
    removeMade()
    throw failure
  }
}

/** Outermost first. */
const missingFolders = (folder: string): readonly string[] => (existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder])

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Another program has files in it now.
  }
}
