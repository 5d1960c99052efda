/** Where to listen: the first slot that nobody lives in, stale sockets removed, in a folder where nobody else can exchange them. */
import { lstatSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'
import { BridgeError } from '@sallyport/core/errors'
import { ownUid, refused } from '@sallyport/core/storage/safe-folder'
import { lockSlots } from './slot-lock.ts'

export interface SlotPlace {
  /** Directory of the sockets; ignored for Windows pipes. */
  readonly directory: string
  readonly ipcPrefix: string
  readonly platform: NodeJS.Platform
}

type SlotState = 'free' | 'stale' | 'taken'

/** Connecting is the proof of life: the system accepts for a listener that exists and refuses for a file that is left over. */
export const probeSlot = (path: string): Promise<SlotState> =>
  new Promise((resolve) => {
    const probe = connect(path)
    const settle = (state: SlotState) => {
      probe.destroy()
      resolve(state)
    }
    probe.once('connect', () => settle('taken'))
    probe.once('error', (error: NodeJS.ErrnoException) => settle(STATE_OF[error.code ?? ''] ?? 'taken'))
  })

/** EINVAL: the path is longer than the system takes, as binding will tell. */
const STATE_OF: Readonly<Record<string, SlotState>> = { ENOENT: 'free', ECONNREFUSED: 'stale', ENOTSOCK: 'taken', EINVAL: 'free' }

/** Removes a socket file that nobody serves; leaves anything that is not our own socket. */
function removeStale(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (!found.isSocket() || found.uid !== ownUid) return false
  rmSync(path)
  return true
}

/** What went wrong with the folder of sockets, with the setting that helps. */
function aboutFolder(directory: string, failure: unknown): BridgeError {
  const { message } = failure as Error
  const sentence =
    failure instanceof BridgeError
      ? `${message} (Or choose another --runtime-dir.)`
      : `The sockets cannot be put into ${directory} (${message}). Choose another --runtime-dir.`
  return refused(sentence, failure)
}

/** Opens a folder for sockets by one of the functions of `safe-folder.ts`. Throws SERVICE_UNAVAILABLE when it is not safe. */
export function openPlace<T>(directory: string, open: (directory: string) => T): T {
  try {
    return open(directory)
  } catch (failure) {
    throw aboutFolder(directory, failure)
  }
}

async function locked(directory: string): Promise<() => void> {
  try {
    return await lockSlots(directory)
  } catch (failure) {
    throw failure instanceof BridgeError ? failure : aboutFolder(directory, failure)
  }
}

/**
 * Calls `bind` with the path of the first slot that is free or stale, and gives back what it gave.
 * Rejects with SERVICE_UNAVAILABLE when all ten are taken.
 */
export async function claimSlot<T>(place: SlotPlace, bind: (path: string) => Promise<T>): Promise<{ path: string; bound: T }> {
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
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw isPipe ? error : aboutFolder(place.directory, error)
      }
    }
  } finally {
    unlock()
  }
  throw new BridgeError(
    'SERVICE_UNAVAILABLE',
    `All ${SLOT_COUNT} slots (${slotName(place.ipcPrefix, 0)} to ${SLOT_COUNT - 1}) in ${isPipe ? 'the pipe namespace' : place.directory} are taken; stop one of the servers there or choose another --runtime-dir.`,
  )
}

/** Whether another server was there first: games that look no further than the first slot reach that one. */
export const isLaterSlot = (address: string): boolean => /-[1-9]$/.test(address)
