/**
 * Private folders and files of this user. Rejects paths where another user of the system could have created or could replace files. The
 * rules are pure functions in the protocol package, because clients use them too.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FileKind, type Flaw, isKind, isSharedFolder, privateFlaw, socketFolderFlaw } from '@sallyport/protocol/wire'
import { BridgeError } from '../errors.ts'

/** The uid of this user; undefined on systems without file owners and mode bits. */
export const ownUid = process.getuid?.()

/** Flags of every open: do not follow links, do not block on a FIFO. Zero on Windows. */
export const SAFE_OPEN_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const PRIVATE_FILE_MODE = 0o600
const ROOT = 0
const STICKY = 0o1000
const WORLD_WRITABLE = 0o002
/** The uid of files whose owner is not mapped in this user namespace. */
const UNMAPPED_UID = 65_534
const WHOLE_NAMESPACE = /^\s*0\s+0\s+4294967295\s*$/

export const unavailable = (message: string, cause?: unknown): BridgeError => new BridgeError('SERVICE_UNAVAILABLE', message, {}, { cause })

const PRIVATE_MESSAGES: Readonly<Record<Flaw, (path: string, kind: FileKind) => string>> = {
  kind: (path, kind) => `${path} is not a ${kind} (links are not allowed); move it away.`,
  owner: (path) => `${path} belongs to another user; Sallyport does not use it.`,
  rights: (path, kind) =>
    `Other users can access ${path}; if you trust its content, run: chmod ${kind === 'folder' ? '700' : '600'} '${path}'`,
}

/** Throws SERVICE_UNAVAILABLE with advice unless the path has the kind and only this user can access it. */
export function assertPrivate(path: string, kind: FileKind, facts: Stats): void {
  const flaw = ownUid === undefined ? (isKind(facts, kind) ? undefined : 'kind') : privateFlaw(facts, kind, ownUid)
  if (flaw !== undefined) throw unavailable(PRIVATE_MESSAGES[flaw](path, kind))
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Creates a private folder and its missing parents; does not change an existing folder. Throws system errors.
 * Not `recursive: true`, which never returns in a folder that exists but accepts no entries (/proc).
 */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (failure) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw failure
  }
}

/** Whether the uid may be root, which the user namespace of a sandbox does not map. */
function isUnmapped(uid: number): boolean {
  if (uid !== UNMAPPED_UID) return false
  try {
    return !WHOLE_NAMESPACE.test(readFileSync('/proc/self/uid_map', 'utf8'))
  } catch {
    return false
  }
}

/**
 * Rejects a folder whose ancestors another user can modify. Allows group-writable ancestors, because on many systems each user has a
 * private group and home folders are group-writable.
 */
function assertSafeAncestors(folder: string): void {
  if (ownUid === undefined) return
  for (let child = realpathSync(folder), parent = dirname(child); parent !== child; child = parent, parent = dirname(child)) {
    const { uid, mode } = statSync(parent)
    const isForeign = uid !== ownUid && uid !== ROOT && !isUnmapped(uid)
    const isOpen = (mode & WORLD_WRITABLE) !== 0 && (mode & STICKY) === 0
    if (isForeign || isOpen) throw unavailable(`Another user can replace ${folder}, because they can modify ${parent}.`)
  }
}

/** Checks an existing folder. Throws SERVICE_UNAVAILABLE, and system errors. */
export function assertPrivateFolder(folder: string): void {
  assertPrivate(folder, 'folder', lstatSync(folder))
  assertSafeAncestors(folder)
}

/** Creates a private folder, or checks the existing one. Throws SERVICE_UNAVAILABLE, and system errors. */
export function openPrivateFolder(folder: string): void {
  makeFolder(folder)
  assertPrivateFolder(folder)
}

const SOCKET_FOLDER_MESSAGES: Readonly<Record<Flaw, (path: string) => string>> = {
  kind: (path) => `${path} is not a folder.`,
  owner: (path) => `${path} belongs to another user, who could replace the sockets in it.`,
  rights: (path) => `Other users can write to ${path} and replace the sockets in it; run: chmod go-w '${path}'`,
}

/**
 * Creates the socket folder, or checks the existing one. `shared`: other users can create sockets in it, as in /tmp.
 * Follows a link that root or this user created. Throws SERVICE_UNAVAILABLE, and system errors.
 */
export function openSocketFolder(folder: string): 'private' | 'shared' {
  makeFolder(folder)
  const facts = statSync(folder)
  if (ownUid === undefined) return 'private'
  const link = lstatSync(folder)
  const isForeignLink = isKind(link, 'link') && link.uid !== ownUid && link.uid !== ROOT
  const flaw = isForeignLink ? 'owner' : socketFolderFlaw(facts, ownUid)
  if (flaw !== undefined) throw unavailable(SOCKET_FOLDER_MESSAGES[flaw](folder))
  assertSafeAncestors(folder)
  return isSharedFolder(facts) ? 'shared' : 'private'
}

const isErrno = (failure: unknown, ...codes: readonly string[]): boolean =>
  failure instanceof Error && 'code' in failure && codes.includes(String(failure.code))

/** Errors of the system for a link with O_NOFOLLOW, and for a socket instead of a file. */
const NOT_A_FILE = ['ELOOP', 'EMLINK', 'ENXIO']

/** Errors of the system for who may not open it. */
const NOT_ALLOWED = ['EACCES', 'EPERM']

/** The error for a failed open; undefined if the file does not exist. */
export function openError(path: string, failure: unknown): Error | undefined {
  if (isErrno(failure, 'ENOENT')) return undefined
  if (isErrno(failure, ...NOT_A_FILE)) return unavailable(PRIVATE_MESSAGES.kind(path, 'file'), failure)
  const remedy = isErrno(failure, ...NOT_ALLOWED) ? 'check who owns it' : 'check the disk'
  return unavailable(`${path} cannot be opened (${(failure as Error).message}); ${remedy}.`, failure)
}

/**
 * Opens a private file, calls `use` and closes it; undefined if it does not exist. `flags` as for `open`; O_CREAT creates it.
 * Throws SERVICE_UNAVAILABLE if it is not a private file. Never blocks.
 */
export function withPrivateFile<T>(file: string, flags: number, use: (fd: number) => T): T | undefined {
  const fd = openPrivateFile(file, flags)
  if (fd === undefined) return undefined
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}

/** As withPrivateFile, but leaves the file open. */
export function openPrivateFile(file: string, flags: number): number | undefined {
  const fd = openIfPresent(file, flags)
  if (fd === undefined) return undefined
  try {
    assertPrivate(file, 'file', fstatSync(fd))
    return fd
  } catch (failure) {
    closeSync(fd)
    throw failure
  }
}

function openIfPresent(file: string, flags: number): number | undefined {
  try {
    return openSync(file, flags | SAFE_OPEN_FLAGS, PRIVATE_FILE_MODE)
  } catch (failure) {
    const reason = openError(file, failure)
    if (reason !== undefined) throw reason
    // The parent folder does not exist.
    if ((flags & constants.O_CREAT) !== 0) throw failure
    return undefined
  }
}
