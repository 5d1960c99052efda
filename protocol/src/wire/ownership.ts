/**
 * Who may have put what lies at a path, judged by what the file system says of it. The daemon and its clients share these rules: they are
 * what keeps another user of the system from posing as the daemon. Pure; systems without owners of files do not ask.
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

/** What is wrong with a file or folder: it is something else, somebody else's, or open to others. */
export type Flaw = 'kind' | 'owner' | 'rights'

export const isKind = ({ mode }: FileFacts, kind: FileKind): boolean => (mode & KIND_BITS) === KINDS[kind]

const isOwnOrRoots = (facts: FileFacts, uid: number): boolean => facts.uid === uid || facts.uid === ROOT

/** Of what must be for this user alone. */
export function privateFlaw(facts: FileFacts, kind: FileKind, uid: number): Flaw | undefined {
  if (!isKind(facts, kind)) return 'kind'
  if (facts.uid !== uid) return 'owner'
  return (facts.mode & OTHERS_ANY) === 0 ? undefined : 'rights'
}

/** Of a folder with sockets: nobody but this user, or root, can put something else in the place of a file there. */
export function socketFolderFlaw(facts: FileFacts, uid: number): Flaw | undefined {
  if (!isKind(facts, 'folder')) return 'kind'
  if (!isOwnOrRoots(facts, uid)) return 'owner'
  return (facts.mode & OTHERS_WRITE) === 0 || (facts.mode & STICKY) !== 0 ? undefined : 'rights'
}

/** Other users may put sockets of their own into this folder, under names that are foreseeable. */
export const isSharedFolder = ({ mode }: FileFacts): boolean => (mode & OTHERS_WRITE) !== 0

export const isOwnSocket = (facts: FileFacts, uid: number): boolean => isKind(facts, 'socket') && facts.uid === uid

/** Below a shared folder: the one that is for this user alone, where the daemon listens too and its own clients look. */
export const privateFolderName = (uid: number): string => `sallyport-${uid}`

/** Tells a socket from one that takes its place: the numbers as `stat` gives them with `bigint`. */
export const fileMark = ({ dev, ino, ctimeNs }: { readonly dev: bigint; readonly ino: bigint; readonly ctimeNs: bigint }): string =>
  [dev, ino, ctimeNs].join(':')
