/** Where to listen: the first slot that nobody lives in, stale sockets removed, the directory kept private. */
import { randomUUID } from 'node:crypto'
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SLOT_COUNT, slotName } from '@sallyport/protocol/wire'
import { BridgeError } from '../core/errors.ts'
import { makePrivateDirectory } from '../storage/private-directory.ts'

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

const STATE_OF: Readonly<Record<string, SlotState>> = { ENOENT: 'free', ECONNREFUSED: 'stale', ENOTSOCK: 'taken' }

/** Removes a socket file that nobody serves; leaves anything that is not our own socket. */
function removeStale(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (!found.isSocket() || found.uid !== process.getuid?.()) return false
  rmSync(path)
  return true
}

const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const lockHolder = (lock: string): number => {
  try {
    return Number.parseInt(readFileSync(lock, 'utf8'), 10)
  } catch {
    return Number.NaN // Released since; not alive.
  }
}

const LOCK_TRIES = 50
const LOCK_WAIT_MS = 40

/** Keeps two daemons that start at the same moment from removing each other's sockets; held only while a slot is chosen and bound. */
async function lockDirectory(directory: string): Promise<() => void> {
  const lock = join(directory, `.sallyport-slots-${process.getuid?.() ?? 0}.lock`)
  // Written first and linked into place, so that a lock never exists without the name of its holder.
  const claim = `${lock}.${process.pid}-${randomUUID()}`
  writeFileSync(claim, String(process.pid), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < LOCK_TRIES; attempt++) {
      try {
        linkSync(claim, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      if (isAlive(lockHolder(lock))) await wait(LOCK_WAIT_MS)
      else rmSync(lock, { force: true })
    }
  } finally {
    rmSync(claim, { force: true })
  }
  throw new BridgeError(
    'SERVICE_UNAVAILABLE',
    `Another daemon is starting in ${directory} and does not finish; remove ${lock} if none runs.`,
  )
}

/** Makes the directory where it is missing (one that exists is left as it is, since /tmp and the like are shared on purpose) and locks it. */
async function openDirectory(directory: string): Promise<() => void> {
  try {
    makePrivateDirectory(directory)
    return await lockDirectory(directory)
  } catch (failure) {
    if (failure instanceof BridgeError) throw failure
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `The sockets cannot be put into ${directory} (${(failure as Error).message}). Choose another --runtime-dir.`,
      {},
      { cause: failure },
    )
  }
}

/**
 * Calls `bind` with the path of the first slot that is free or stale, and gives back what it gave.
 * Rejects with SERVICE_UNAVAILABLE when all ten are taken.
 */
export async function claimSlot<T>(place: SlotPlace, bind: (path: string) => Promise<T>): Promise<{ path: string; bound: T }> {
  const isPipe = place.platform === 'win32'
  const unlock = isPipe ? () => {} : await openDirectory(place.directory)
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
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
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

/** Descriptors that a service manager opened for us (systemd socket activation), if it did. */
export function inheritedDescriptors(environment: NodeJS.ProcessEnv, pid: number): readonly number[] {
  const FIRST_DESCRIPTOR = 3
  if (environment['LISTEN_PID'] !== String(pid)) return []
  const count = Number.parseInt(environment['LISTEN_FDS'] ?? '', 10)
  return Number.isInteger(count) && count > 0 ? Array.from({ length: count }, (_, index) => FIRST_DESCRIPTOR + index) : []
}
