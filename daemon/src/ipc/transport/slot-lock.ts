/**
 * A lock in a folder of sockets: two daemons of one user that start at the same moment do not remove each other's sockets. It only orders
 * daemons of the same user, and binding decides in the end; so what another user put in its place is passed over, and nobody waits for it.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, linkSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isKind } from '@sallyport/protocol/wire'
import { startTimeOf, systemProc } from '../../identity/proc.ts'
import { ownUid, refused, SAFE_OPENING } from '@sallyport/core/storage/safe-folder'

const TRIES = 50
const WAIT_MS = 40

/** Process id and start of the process, which tells it from a later one of the same id. */
const FORM = /^(\d{1,10}) (\d{1,20}|-)$/
const MAX_BYTES = 32

const NO_UNLOCK = (): void => {}

/** In ticks since the system started; `-` where the system does not say. Undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  try {
    return startTimeOf(pid, systemProc) ?? '-'
  } catch {
    return '-'
  }
}

const own = (pid: number): string => `${pid} ${startOf(pid) ?? '-'}`

/** What lies at the path of the lock: nothing any more, something that is no lock of this user, or the text of one. */
function look(lock: string): 'gone' | 'foreign' | { readonly text: string } {
  const found = lstatSync(lock, { throwIfNoEntry: false })
  if (found === undefined) return 'gone'
  if (!isKind(found, 'file') || (ownUid !== undefined && found.uid !== ownUid)) return 'foreign'
  let fd: number
  try {
    fd = openSync(lock, constants.O_RDONLY | SAFE_OPENING)
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'foreign'
  }
  try {
    const { ino, size } = fstatSync(fd)
    if (ino !== found.ino) return 'gone'
    return { text: size > MAX_BYTES ? '' : readFileSync(fd, 'utf8') }
  } finally {
    closeSync(fd)
  }
}

/** Text of another form was not written by a daemon that still starts. */
function isHeld(text: string): boolean {
  const [, pid, start] = FORM.exec(text) ?? []
  return pid !== undefined && startOf(Number(pid)) === start
}

/** Resolves with what gives the lock back. Rejects with SERVICE_UNAVAILABLE when another daemon of this user has it and does not finish. */
export async function lockSlots(directory: string): Promise<() => void> {
  const lock = join(directory, `.sallyport-slots-${ownUid ?? 0}.lock`)
  // Written first and linked into place, so that a lock never exists without the name of its holder.
  const claim = `${lock}.${process.pid}-${randomUUID()}`
  writeFileSync(claim, own(process.pid), { mode: 0o600, flag: 'wx' })
  try {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      try {
        linkSync(claim, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const found = look(lock)
      if (found === 'foreign') return NO_UNLOCK
      if (found === 'gone') continue
      if (isHeld(found.text)) await wait(WAIT_MS)
      else rmSync(lock, { force: true })
    }
  } finally {
    rmSync(claim, { force: true })
  }
  throw refused(`Another daemon is starting in ${directory} and does not finish; remove ${lock} if none runs.`)
}
