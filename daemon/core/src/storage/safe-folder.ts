/**
 * Folders and files of this user: made for them alone, and refused where another user of the system could have put something there or could
 * take it away. The rules themselves are pure and stand in the protocol package, since clients keep them too.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FileKind, type Flaw, isKind, isSharedFolder, privateFlaw, socketFolderFlaw } from '@sallyport/protocol/wire'
import { BridgeError } from '../errors.ts'

/** Of this user; undefined where files have no owners and access is not in mode bits. */
export const ownUid = process.getuid?.()

/** With every opening: a link is not followed, and a FIFO does not make the process wait for its other end. Absent on Windows. */
export const SAFE_OPENING = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const PRIVATE_FILE_MODE = 0o600
const ROOT = 0
const STICKY = 0o1000
const ANYBODY_WRITES = 0o002
/** How files look whose owner has no number in this user namespace. */
const UNMAPPED_UID = 65_534
const WHOLE_NAMESPACE = /^\s*0\s+0\s+4294967295\s*$/

export const refused = (message: string, cause?: unknown): BridgeError => new BridgeError('SERVICE_UNAVAILABLE', message, {}, { cause })

const PRIVATE_SENTENCES: Readonly<Record<Flaw, (path: string, kind: FileKind) => string>> = {
  kind: (path, kind) => `${path} is not a ${kind} itself (a link is none); move it away.`,
  owner: (path) => `${path} belongs to another user; nothing is kept there.`,
  rights: (path, kind) => `Others may use ${path}; if nobody did, run: chmod ${kind === 'folder' ? '700' : '600'} '${path}'`,
}

/** Throws SERVICE_UNAVAILABLE with a sentence that says what to do, unless this is of the kind and for this user alone. */
export function refuseUnlessPrivate(path: string, kind: FileKind, facts: Stats): void {
  const flaw = ownUid === undefined ? (isKind(facts, kind) ? undefined : 'kind') : privateFlaw(facts, kind, ownUid)
  if (flaw !== undefined) throw refused(PRIVATE_SENTENCES[flaw](path, kind))
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Makes a folder and the missing ones above it, for this user alone; leaves one that exists as it is. Throws what the system says.
 * Not `recursive: true`, which never returns where a folder exists and takes no new ones (/proc).
 */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (failure) {
    // Somebody else may have made it meanwhile.
    if (!isFolder(folder)) throw failure
  }
}

/** Whether an owner of this number may be root, whom the user namespace of a sandbox has no number for. */
function isUnmapped(uid: number): boolean {
  if (uid !== UNMAPPED_UID) return false
  try {
    return !WHOLE_NAMESPACE.test(readFileSync('/proc/self/uid_map', 'utf8'))
  } catch {
    return false
  }
}

/**
 * Refuses a folder that another user could exchange as a whole. A group that may write above it is let be: on many systems each user has a
 * group of their own, and home folders are made that way.
 */
function refuseUnsafeAbove(folder: string): void {
  if (ownUid === undefined) return
  for (let below = realpathSync(folder), above = dirname(below); above !== below; below = above, above = dirname(below)) {
    const { uid, mode } = statSync(above)
    const isForeign = uid !== ownUid && uid !== ROOT && !isUnmapped(uid)
    const isOpen = (mode & ANYBODY_WRITES) !== 0 && (mode & STICKY) === 0
    if (isForeign || isOpen) throw refused(`Another user can exchange ${folder}, since they may change ${above}.`)
  }
}

/** Makes the folder, or checks the one that is there: it must be this user's alone. Throws SERVICE_UNAVAILABLE, or what the system says. */
export function openPrivateFolder(folder: string): void {
  makeFolder(folder)
  refuseUnlessPrivate(folder, 'folder', lstatSync(folder))
  refuseUnsafeAbove(folder)
}

const SOCKET_FOLDER_SENTENCES: Readonly<Record<Flaw, (path: string) => string>> = {
  kind: (path) => `${path} is not a folder.`,
  owner: (path) => `${path} belongs to another user, who could take the place of the sockets in it.`,
  rights: (path) => `Other users may change ${path} and take the place of the sockets in it; run: chmod go-w '${path}'`,
}

/**
 * Makes the folder of sockets, or checks the one that is there. `shared`: others may put sockets of their own into it, as into /tmp.
 * A link is followed if root or this user made it. Throws SERVICE_UNAVAILABLE, or what the system says.
 */
export function openSocketFolder(folder: string): 'private' | 'shared' {
  makeFolder(folder)
  const facts = statSync(folder)
  if (ownUid === undefined) return 'private'
  const link = lstatSync(folder)
  const isForeignLink = isKind(link, 'link') && link.uid !== ownUid && link.uid !== ROOT
  const flaw = isForeignLink ? 'owner' : socketFolderFlaw(facts, ownUid)
  if (flaw !== undefined) throw refused(SOCKET_FOLDER_SENTENCES[flaw](folder))
  refuseUnsafeAbove(folder)
  return isSharedFolder(facts) ? 'shared' : 'private'
}

const isErrno = (failure: unknown, ...codes: readonly string[]): boolean =>
  failure instanceof Error && 'code' in failure && codes.includes(String(failure.code))

/** What the system says of a link that must not be followed, and of a socket in place of a file. */
const NOT_A_FILE = ['ELOOP', 'EMLINK', 'ENXIO']

/** Undefined for a file that is not there, the failure for all others. In words where the name leads to something else than a file. */
export function openingFailure(path: string, failure: unknown): Error | undefined {
  if (isErrno(failure, 'ENOENT')) return undefined
  if (isErrno(failure, ...NOT_A_FILE)) return refused(PRIVATE_SENTENCES.kind(path, 'file'), failure)
  return refused(`${path} cannot be opened (${(failure as Error).message}); check who owns it.`, failure)
}

/**
 * Opens a file of this user alone, hands it over and closes it; undefined when there is none. `flags` as `open` takes them: with O_CREAT it
 * is made. Throws SERVICE_UNAVAILABLE when it is something else or somebody else's; never waits for anybody.
 */
export function withPrivateFile<T>(file: string, flags: number, use: (fd: number) => T): T | undefined {
  const fd = opened(file, flags)
  if (fd === undefined) return undefined
  try {
    refuseUnlessPrivate(file, 'file', fstatSync(fd))
    return use(fd)
  } finally {
    closeSync(fd)
  }
}

function opened(file: string, flags: number): number | undefined {
  try {
    return openSync(file, flags | SAFE_OPENING, PRIVATE_FILE_MODE)
  } catch (failure) {
    const reason = openingFailure(file, failure)
    if (reason !== undefined) throw reason
    // There is no folder to make it in.
    if ((flags & constants.O_CREAT) !== 0) throw failure
    return undefined
  }
}
