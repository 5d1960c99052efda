/** Claims a slot: the first without a live server. Stale sockets are removed, and no other user may replace sockets in the directory. */
import { lstatSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'
import { BridgeError } from '@sallyport/core/errors'
import { ownUid, unavailable } from '@sallyport/core/storage/safe-folder'
import { lockSlots } from './slot-lock.ts'

export interface SlotLocation {
  /** Directory of the sockets; ignored for Windows pipes. */
  readonly directory: string
  readonly ipcPrefix: string
  readonly platform: NodeJS.Platform
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

/** Removes a socket file without a server. Returns false for a file that is not a socket of this user. */
function removeStale(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (!found.isSocket() || found.uid !== ownUid) return false
  rmSync(path)
  return true
}

/** Removes a socket without a server. Rejects with SERVICE_UNAVAILABLE if a server listens there, or the file is no socket of this user. */
export async function clearSlot(path: string): Promise<void> {
  const state = await probeSlot(path)
  if (state === 'taken' || (state === 'stale' && !removeStale(path))) throw unavailable(`Another program has ${path}.`)
}

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
  // Pipes end with their server.
  if (platform === 'win32') return survey
  const unlock = await locked(directory)
  try {
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      const path = join(directory, slotName(ipcPrefix, slot))
      const state = await probeSlot(path)
      if (state === 'taken') survey.taken.push(path)
      else if (state === 'stale') (removeStale(path) ? survey.removed : survey.foreign).push(path)
    }
    return survey
  } finally {
    unlock()
  }
}

/** The error for an unusable socket directory; names the setting that helps. */
function folderError(directory: string, failure: unknown): BridgeError {
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

async function locked(directory: string): Promise<() => void> {
  try {
    return await lockSlots(directory)
  } catch (failure) {
    throw failure instanceof BridgeError ? failure : folderError(directory, failure)
  }
}

/**
 * Calls `bind` with the path of the first slot that is free or stale, and returns its result.
 * Rejects with SERVICE_UNAVAILABLE if all ten are taken.
 */
export async function claimSlot<T>(place: SlotLocation, bind: (path: string) => Promise<T>): Promise<{ path: string; bound: T }> {
  const isPipe = place.platform === 'win32'
  const unlock = isPipe ? () => {} : await locked(place.directory)
  try {
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      const name = slotName(place.ipcPrefix, slot)
      const path = isPipe ? `\\\\.\\pipe\\${name}` : join(place.directory, name)
      const state = await probeSlot(path)
      if (state === 'taken') continue
      if (state === 'stale' && !removeStale(path)) continue
      try {
        return { path, bound: await bind(path) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw isPipe ? error : folderError(place.directory, error)
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
export const isLaterSlot = (address: string): boolean => /-[1-9]$/.test(address)
