/**
 * Checks of file type, owner and permissions. The daemon and its clients share these rules; they prevent another operating system user from
 * impersonating the daemon. Pure; not used on systems without file owners.
 */

/** Numbers as `stat` gives them. */
export interface FileFacts {
  readonly uid: number
  readonly mode: number
}

const KIND_BITS = 0o170000
const KINDS = { folder: 0o040000, file: 0o100000, link: 0o120000, socket: 0o140000 } as const
export type FileKind = keyof typeof KINDS

const STICKY = 0o1000
const OTHERS_WRITE = 0o022
const OTHERS_ANY = 0o077
const ROOT = 0

/** Problem of a file or folder: wrong type, wrong owner, or accessible to other users. */
export type Flaw = 'kind' | 'owner' | 'rights'

export const isKind = ({ mode }: FileFacts, kind: FileKind): boolean => (mode & KIND_BITS) === KINDS[kind]

const isOwnOrRoots = (facts: FileFacts, uid: number): boolean => facts.uid === uid || facts.uid === ROOT

/** Returns the problem of a file or folder that must be private to this user. */
export function privateFlaw(facts: FileFacts, kind: FileKind, uid: number): Flaw | undefined {
  if (!isKind(facts, kind)) return 'kind'
  if (facts.uid !== uid) return 'owner'
  return (facts.mode & OTHERS_ANY) === 0 ? undefined : 'rights'
}

/** Returns the problem of a socket folder. Only this user or root may be able to replace files in it. */
export function socketFolderFlaw(facts: FileFacts, uid: number): Flaw | undefined {
  if (!isKind(facts, 'folder')) return 'kind'
  if (!isOwnOrRoots(facts, uid)) return 'owner'
  return (facts.mode & OTHERS_WRITE) === 0 || (facts.mode & STICKY) !== 0 ? undefined : 'rights'
}

/** Whether other users can create sockets with predictable names in this folder. */
export const isSharedFolder = ({ mode }: FileFacts): boolean => (mode & OTHERS_WRITE) !== 0

export const isOwnSocket = (facts: FileFacts, uid: number): boolean => isKind(facts, 'socket') && facts.uid === uid

/** Name of the private folder of this user below a shared folder; the daemon also listens there, and its own clients look there. */
export const privateFolderName = (uid: number): string => `sallyport-${uid}`

/** Identifies a socket file, to detect its replacement. Takes the numbers of `stat` with `bigint`. */
export const fileMark = ({ dev, ino, ctimeNs }: { readonly dev: bigint; readonly ino: bigint; readonly ctimeNs: bigint }): string =>
  [dev, ino, ctimeNs].join(':')
