/**
 * A lock file in the socket directory. It keeps two daemons of one user that start together from removing each other's sockets. It only
 * orders daemons of the same user; the bind decides. A file of another user at its path is ignored, without waiting.
 */
import { closeSync, constants, fstatSync, linkSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isKind } from '@sallyport/protocol/wire'
import { startTimeOf, systemProc } from '../../identity/proc.ts'
import { ownUid, unavailable, SAFE_OPEN_FLAGS } from '@sallyport/core/storage/safe-folder'

const MAX_ATTEMPTS = 50
const RETRY_MS = 40

/** Process id and start time. The start time detects a reused process id. */
const HOLDER_TEXT = /^(\d{1,10}) (\d{1,20}|-)$/
const MAX_BYTES = 32

const NO_UNLOCK = (): void => {}

/** Start time in ticks since boot; `-` if the system does not provide it. Undefined if the process does not exist. */
function processStart(pid: number): string | undefined {
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

const holderText = (pid: number): string => `${pid} ${processStart(pid) ?? '-'}`

/** State of the lock path: no file, a file that is not a lock of this user, or the text of a lock. */
function inspectLock(lock: string): 'gone' | 'foreign' | { readonly text: string } {
  const found = lstatSync(lock, { throwIfNoEntry: false })
  if (found === undefined) return 'gone'
  if (!isKind(found, 'file') || (ownUid !== undefined && found.uid !== ownUid)) return 'foreign'
  let fd: number
  try {
    fd = openSync(lock, constants.O_RDONLY | SAFE_OPEN_FLAGS)
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

/** Whether the holder still runs. A starting daemon never writes text in another format. */
function isHeld(text: string): boolean {
  const [, pid, start] = HOLDER_TEXT.exec(text) ?? []
  return pid !== undefined && processStart(Number(pid)) === start
}

/** Resolves with the unlock function. Rejects with SERVICE_UNAVAILABLE if another daemon of this user keeps the lock. */
export async function lockSlots(directory: string): Promise<() => void> {
  const lock = join(directory, `.sallyport-slots-${ownUid ?? 0}.lock`)
  // Written first and then linked into place, so that a lock always identifies its holder.
  const claim = `${lock}.${process.pid}-${process.hrtime.bigint()}`
  writeFileSync(claim, holderText(process.pid), { mode: 0o600, flag: 'wx' })
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        linkSync(claim, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const found = inspectLock(lock)
      if (found === 'foreign') return NO_UNLOCK
      if (found === 'gone') continue
      if (isHeld(found.text)) await wait(RETRY_MS)
      else rmSync(lock, { force: true })
    }
  } finally {
    rmSync(claim, { force: true })
  }
  throw unavailable(`Another daemon that is starting in ${directory} does not finish. If none is running, remove ${lock}.`)
}
