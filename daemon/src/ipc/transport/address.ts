/**
 * Claims a slot: the first without a live server. Stale sockets are removed, no socket of a live server is, and no other user may replace sockets
 * in the directory.
 */
import { lstatSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'
import { BridgeError } from '@sallyport/core/errors'
import { ownUid, unavailable } from '@sallyport/core/storage/safe-folder'
import { lockSlots } from './slot-lock.ts'
import { isNamed, removeName } from './socket-name.ts'

export interface SlotLocation {
  /** Directory of the sockets; ignored for Windows pipes. */
  readonly directory: string
  readonly ipcPrefix: string
  readonly platform: NodeJS.Platform
  /** Whether the name at a path is one of our own socket already; then it needs no probe. */
  readonly isOwn?: (path: string) => boolean
}

type SlotState = 'free' | 'stale' | 'taken'

/** Checks a slot with a connection attempt, which the system accepts for a live listener and refuses for a leftover file. */
export async function probeSlot(path: string): Promise<SlotState> {
  // Spares a start the attempt. Pipes are no files.
  if (process.platform !== 'win32' && lstatSync(path, { throwIfNoEntry: false }) === undefined) return 'free'
  return new Promise((resolve) => {
    const probe = connect(path)
    const settle = (state: SlotState) => {
      probe.destroy()
      resolve(state)
    }
    probe.once('connect', () => settle('taken'))
    probe.once('error', (error: NodeJS.ErrnoException) => settle(STATE_OF[error.code ?? ''] ?? 'taken'))
  })
}

/** EINVAL: the path is too long for the system; the bind reports it. */
const STATE_OF: Readonly<Record<string, SlotState>> = { ENOENT: 'free', ECONNREFUSED: 'stale', ENOTSOCK: 'taken', EINVAL: 'free' }

/** Our sockets have it, and listen before they get a name. */
const OWN_MODE = 0o600
const PERMISSIONS = 0o777
/** A program that has just bound its socket may not listen yet. */
const YOUNG_MS = 1000
const LOOK_MS = 40

/** Not of node:timers/promises, which each start would load. */
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

/** Removes a socket file that refuses connections. Resolves to false for a file that is not a socket of this user, and for a server that starts. */
async function removeStale(path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (!found.isSocket() || found.uid !== ownUid) return false
  const isOld = (found.mode & PERMISSIONS) === OWN_MODE || Date.now() - found.mtimeMs > YOUNG_MS
  for (let left = isOld ? 0 : YOUNG_MS; left > 0; left -= LOOK_MS) {
    await wait(LOOK_MS)
    if (!isNamed(path, found) || (await probeSlot(path)) !== 'stale') break
  }
  if (!isNamed(path, found)) return (await probeSlot(path)) === 'free'
  return ((await probeSlot(path)) === 'stale' && removeName(path, found)) || (await probeSlot(path)) === 'free'
}

/** Makes room at a path. Resolves to false if a server listens there, or the file is no socket of this user. */
export async function isCleared(path: string): Promise<boolean> {
  const state = await probeSlot(path)
  return state === 'free' || (state === 'stale' && (await removeStale(path)))
}

/** Removes a socket without a server. Rejects with SERVICE_UNAVAILABLE if a server listens there, or the file is no socket of this user. */
export async function clearSlot(path: string): Promise<void> {
  if (!(await isCleared(path))) throw unavailable(`Another program has ${path}.`)
}

/** A link to nowhere: no server answers, and no socket can have the name. */
const isOtherFile = (path: string, platform: NodeJS.Platform): boolean =>
  platform !== 'win32' && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** The slots of a folder after the leftovers in it are removed. */
export interface SlotSurvey {
  /** Paths with a live server. */
  readonly taken: readonly string[]
  /** Sockets without a server that were removed. */
  readonly removed: readonly string[]
  /** Files without a server that are no sockets of this user. They stay. */
  readonly foreign: readonly string[]
}

/** Removes the sockets of servers that ended without removing them. Rejects with SERVICE_UNAVAILABLE for an unusable folder. */
export async function surveySlots({ directory, ipcPrefix, platform }: SlotLocation): Promise<SlotSurvey> {
  const survey = { taken: [] as string[], removed: [] as string[], foreign: [] as string[] }
  // Pipes end with their server, so none is left behind.
  const unlock = platform === 'win32' ? () => {} : await locked(directory)
  try {
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      const path = slotPath({ directory, ipcPrefix, platform }, slot)
      const state = await probeSlot(path)
      if (state === 'taken') survey.taken.push(path)
      else if (state === 'free' && isOtherFile(path, platform)) survey.foreign.push(path)
      else if (state === 'stale') ((await removeStale(path)) ? survey.removed : survey.foreign).push(path)
    }
    return survey
  } finally {
    unlock()
  }
}

/** The error for an unusable socket directory; names the setting that helps. */
export function folderError(directory: string, failure: unknown): BridgeError {
  const { message } = failure as Error
  const sentence =
    failure instanceof BridgeError
      ? `${message} (Or choose another --runtime-dir.)`
      : `Cannot create sockets in ${directory} (${message}). Choose another --runtime-dir.`
  return unavailable(sentence, failure)
}

/** Opens a socket directory with a function from `safe-folder.ts`. Throws SERVICE_UNAVAILABLE if it is not safe. */
export function openSlotFolder<T>(directory: string, open: (directory: string) => T): T {
  try {
    return open(directory)
  } catch (failure) {
    throw folderError(directory, failure)
  }
}

export async function locked(directory: string): Promise<() => void> {
  try {
    return await lockSlots(directory)
  } catch (failure) {
    throw failure instanceof BridgeError ? failure : folderError(directory, failure)
  }
}

/** What a bind and a link say of a name that another program took meanwhile. */
const TAKEN: readonly unknown[] = ['EADDRINUSE', 'EEXIST']

export const slotPath = ({ directory, ipcPrefix, platform }: SlotLocation, slot: number): string =>
  platform === 'win32' ? `\\\\.\\pipe\\${slotName(ipcPrefix, slot)}` : join(directory, slotName(ipcPrefix, slot))

/**
 * Calls `bind` with the path of the first slot that is free or stale, and returns its result.
 * Rejects with SERVICE_UNAVAILABLE if all ten are taken.
 */
export async function claimSlot<T>(place: SlotLocation, bind: (path: string) => Promise<T>): Promise<{ path: string; bound: T }> {
  const isPipe = place.platform === 'win32'
  const unlock = isPipe ? () => {} : await locked(place.directory)
  try {
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      const path = slotPath(place, slot)
      if (place.isOwn?.(path) !== true && !(await isCleared(path))) continue
      try {
        return { path, bound: await bind(path) }
      } catch (error) {
        if (!TAKEN.includes((error as NodeJS.ErrnoException).code)) throw isPipe ? error : folderError(place.directory, error)
      }
    }
  } finally {
    unlock()
  }
  throw new BridgeError(
    'SERVICE_UNAVAILABLE',
    `All ${SLOT_COUNT} slots (${slotName(place.ipcPrefix, 0)} to ${SLOT_COUNT - 1}) in ${isPipe ? 'the pipe namespace' : place.directory} are in use. Stop one of those servers or choose another --runtime-dir.`,
  )
}

/** Whether another server owns slot 0. Games that try only the first slot reach that server. */
/** The path of the first slot beside another one. */
export const firstSlotOf = (address: string): string => address.replace(/-\d$/, '-0')

export const isLaterSlot = (address: string): boolean => /-[1-9]$/.test(address)
