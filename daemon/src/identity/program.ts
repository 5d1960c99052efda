/** Which program speaks for a game, as far as the operating system knows: the type, and when two of them are the same one. Pure. */

/**
 * `native`: a program file. `script`: a file that an interpreter runs. `container`: a program that sees other files than the bridge.
 * `page`: a page in a browser, of which nothing is known but its origin. `unknown`: nothing is known, or not enough to know it again.
 */
export type ProgramKind = 'native' | 'script' | 'container' | 'page' | 'unknown'

export type ContainerKind = 'flatpak' | 'snap' | 'other'

/** A file that was looked at. */
export interface FileIdentity {
  readonly executable: string
  /** `device:inode:size:mtime:ctime`, times in nanoseconds. */
  readonly file: string
}

export interface Program {
  readonly kind: ProgramKind
  /** The system user; undefined where the system does not say. */
  readonly uid: number | undefined
  /**
   * What a person knows it by. native: its path. script: the path of the script. container: the id of the application, or the path that it
   * shows of itself. page: the origin. unknown: a path, when at least that was seen.
   */
  readonly executable: string | undefined
  /** Identity of that file (see FileIdentity); undefined where it cannot be had. */
  readonly file: string | undefined
  /** What runs a script. */
  readonly interpreter?: FileIdentity | undefined
  readonly container?: ContainerKind | undefined
  /** Of the command line of Sallyport alone: from where it was started (see terminal-session.ts), in the kernel's words. */
  readonly session?: string | undefined
  /** SHA-256 of the content (hexadecimal; of the interpreter, then of the script), once it was read. */
  readonly digest?: string | undefined
}

/** The session of a command line of which nobody knows from where it was started. */
export const NO_SESSION = 'none'

/** Only such a program can be known again: what it was granted may be kept. */
export const isKnown = ({ kind, executable, session }: Program): boolean =>
  kind !== 'unknown' && executable !== undefined && session !== NO_SESSION

/** The same path or id run by the same system user, whatever lies there now; of the command line, in the same session too. */
export const isSamePlace = (one: Program, other: Program): boolean =>
  isKnown(one) &&
  isKnown(other) &&
  one.uid === other.uid &&
  one.kind === other.kind &&
  one.executable === other.executable &&
  one.container === other.container &&
  one.interpreter?.executable === other.interpreter?.executable &&
  one.session === other.session

const NAMESPACE = /^.*\]:?/

/** Of a `file`: as the system knows it. In a container the name of its mount namespace comes first: `mnt:[4026532758]:`. */
export const withoutNamespace = (file: string): string => file.replace(NAMESPACE, '')

const CTIME = /:[^:]*$/
const withoutCtime = (file: string): string => file.replace(CTIME, '')

type Sameness = 'same' | 'touched' | 'other'

function samenessOf(one: string | undefined, other: string | undefined): Sameness {
  if (one === other) return 'same'
  if (one === undefined || other === undefined) return 'other'
  return withoutCtime(one) === withoutCtime(other) ? 'touched' : 'other'
}

/**
 * `same`: not changed since. `touched`: only the time of the last change of the inode differs (a link, a chmod, an update of the system that
 * kept the content, or a change whose mtime was set back): only the content can tell. `other`: another program.
 */
export function compareFiles(one: Program, other: Program): Sameness {
  const all = [samenessOf(one.file, other.file), samenessOf(one.interpreter?.file, other.interpreter?.file)]
  if (all.includes('other')) return 'other'
  return all.includes('touched') ? 'touched' : 'same'
}

/** The same file at the same place: a copy elsewhere, and a file that was changed or replaced, are other programs. */
export const isSameProgram = (one: Program, other: Program): boolean => isSamePlace(one, other) && compareFiles(one, other) === 'same'

/** All terminals count as one place: anybody can open another one. */
const countedSession = (session: string | undefined): string | null =>
  session === undefined ? null : session.startsWith('tty:') ? 'tty' : session

/**
 * Names the place of a program: what is counted for a program is counted under this. It stays the same when the file is changed, so that
 * nothing is gained by changing it. All programs of a user that are unknown count as one.
 */
export const placeKey = ({ kind, uid, executable, container, interpreter, session }: Program): string =>
  JSON.stringify([
    kind,
    uid ?? null,
    kind === 'unknown' ? null : (executable ?? null),
    container ?? null,
    interpreter?.executable ?? null,
    countedSession(session),
  ])

/** What a connection says of the program at its other end. */
export interface ProgramFacts {
  readonly uid?: number
  /** As Program has it. */
  readonly executable?: string
  readonly file?: string
  /** Absent: a page when there is an origin, else a native program when its file is known. */
  readonly kind?: ProgramKind
  readonly interpreter?: FileIdentity
  readonly container?: ContainerKind
  readonly session?: string
  /** Of a page in a browser. */
  readonly origin?: string
}

export function programOf({ uid, executable, file, kind, interpreter, container, session, origin }: ProgramFacts): Program {
  if (origin !== undefined) return { kind: 'page', uid: undefined, executable: origin, file: undefined }
  const isNative = executable !== undefined && file !== undefined
  return { kind: kind ?? (isNative ? 'native' : 'unknown'), uid, executable, file, interpreter, container, session }
}
