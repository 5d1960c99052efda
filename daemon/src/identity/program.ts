/** The program of a peer, as identified by the operating system, and comparison of programs. Pure. */
import { withoutCtime } from './file-identity.ts'

/**
 * `native`: a program file. `script`: a file that an interpreter runs. `container`: a program with fewer rights than the bridge.
 * `wine`: a Windows program that the pipe bridge of a Wine prefix named (see wine-program.ts). `page`: a web page, identified by its origin
 * only. `unknown`: not identified well enough to recognise it later.
 */
export type ProgramKind = 'native' | 'script' | 'container' | 'wine' | 'page' | 'unknown'

/**
 * `flatpak`, `snap`: an application, known by its id. `sandbox`: the sandbox of macOS or Windows, whose programs the system names by their true
 * path. `other`: anything else; nothing of it is recognised later.
 */
export type ContainerKind = 'flatpak' | 'snap' | 'sandbox' | 'other'

/** A file and its identity. */
export interface FileIdentity {
  readonly executable: string
  /** `device:inode:size:mtime:ctime`, times in nanoseconds; in place of ctime a mark where it says nothing (see file-identity.ts). */
  readonly file: string
}

export interface Program {
  readonly kind: ProgramKind
  /** The system user; undefined when the system does not return it. */
  readonly uid: number | undefined
  /**
   * How users know it. native: its path. script: the path of the script. container: the id of the application, or the path that it claims.
   * wine: the path that the pipe bridge claims. page: the origin. unknown: a path, if any, or the argument that an interpreter in no row of the
   * table runs.
   */
  readonly executable: string | undefined
  /** Identity of that file (see FileIdentity); undefined when unavailable. */
  readonly file: string | undefined
  /** Interpreter of a script. wine: the pipe bridge. unknown: a program that seems to run a script (see unlisted-script.ts). */
  readonly interpreter?: FileIdentity | undefined
  /** wine: the loader of the Wine that runs the pipe bridge. Missing in grants of versions that did not store it. */
  readonly loader?: FileIdentity | undefined
  readonly container?: ContainerKind | undefined
  /** Of a container without an application: the number of its outermost user namespace, which it cannot leave (see user-namespace.ts). */
  readonly namespace?: string | undefined
  /** Only for the command line of Sallyport: the terminal session or starter, from the kernel (see terminal-session.ts). */
  readonly session?: string | undefined
  /** Only for that command line: whether a user typed it, when it connected (see terminal-session.ts). */
  readonly isTyped?: boolean | undefined
  /** SHA-256 of the content (hexadecimal; of the interpreter or pipe bridge, then of the script or program, then of Wine's loader), once computed. */
  readonly digest?: string | undefined
}

/** Session of a command line whose terminal and starter are unknown. A name for prompts may follow it. */
export const NO_SESSION = 'none'

const isNoSession = (session: string | undefined): boolean => session?.startsWith(NO_SESSION) === true

/** Whether the program can be recognised later, so that its grants may be stored. */
export const isKnown = ({ kind, executable, container, session }: Program): boolean =>
  kind !== 'unknown' && container !== 'other' && executable !== undefined && !isNoSession(session)

/** Same path or id and same system user, even when the file changed; for the command line also the same session. */
export const isSamePath = (one: Program, other: Program): boolean =>
  isKnown(one) &&
  isKnown(other) &&
  one.uid === other.uid &&
  one.kind === other.kind &&
  one.executable === other.executable &&
  one.container === other.container &&
  one.interpreter?.executable === other.interpreter?.executable &&
  one.session === other.session

const NAMESPACE = /^.*\]:?/

/** A `file` without the mount namespace that precedes it for containers: `mnt:[4026532758]:`. */
export const withoutNamespace = (file: string): string => (file.includes(']') ? file.replace(NAMESPACE, '') : file)

type Sameness = 'same' | 'ctime-changed' | 'other'

function samenessOf(one: string | undefined, other: string | undefined): Sameness {
  if (one === other) return 'same'
  if (one === undefined || other === undefined) return 'other'
  return withoutCtime(one) === withoutCtime(other) ? 'ctime-changed' : 'other'
}

const filesOf = ({ file, interpreter }: Program): readonly (string | undefined)[] => [file, interpreter?.file]

/** A loader elsewhere is another Wine, also when it is the same file. */
const samenessOfLoaders = ({ loader: one }: Program, { loader: other }: Program): Sameness =>
  one?.executable === other?.executable ? samenessOf(one?.file, other?.file) : 'other'

const worst = (all: readonly Sameness[]): Sameness =>
  all.includes('other') ? 'other' : all.includes('ctime-changed') ? 'ctime-changed' : 'same'

/**
 * `same`: unchanged. `ctime-changed`: only ctime differs (a link, a chmod, a system update with the same content, or a modification with mtime
 * reset), so the content must be compared. `other`: another program.
 */
export const compareFiles = (one: Program, other: Program): Sameness => worst([compareOwnFiles(one, other), samenessOfLoaders(one, other)])

/** As `compareFiles`, without the loader of Wine. */
function compareOwnFiles(one: Program, other: Program): Sameness {
  const files = filesOf(other)
  return worst(filesOf(one).map((file, at) => samenessOf(file, files[at])))
}

/** The same Windows program of the same prefix, which another Wine runs. */
export const isInOtherWine = (one: Program, other: Program): boolean =>
  isSamePath(one, other) && compareOwnFiles(one, other) !== 'other' && samenessOfLoaders(one, other) === 'other'

/** The same file at the same path. A copy elsewhere and a modified or replaced file are other programs. */
export const isSameProgram = (one: Program, other: Program): boolean => isSamePath(one, other) && compareFiles(one, other) === 'same'

const isTerminal = (session: string): boolean => /^[pt]ty:/.test(session)

/** All terminals count as one, because a program can open more. So do all that have no session: a program can hide in many ways. */
const countedSession = (session: string | undefined): string | null =>
  session === undefined ? null : isTerminal(session) ? 'tty' : isNoSession(session) ? NO_SESSION : session

/** Device and inode of a `file`: a name, a link, a touch and a modification leave them as they are. */
function nodeOf(file: string): string {
  const own = withoutNamespace(file)
  const end = own.indexOf(':', own.indexOf(':') + 1)
  return end < 0 ? own : own.slice(0, end)
}

/** The file that is counted: all its names are one. A path stands for a file whose identity is not known. */
const countedFile = ({ executable, file }: { readonly [Key in keyof FileIdentity]?: string | undefined }): string | null =>
  file === undefined ? (executable ?? null) : `file ${nodeOf(file)}`

/**
 * What accounting counts, by kind. Nothing that a program claims is part of it: not the path in a container without an application, and
 * not the name of a Windows program, so those of one prefix count as one.
 */
const COUNTED: Readonly<Record<ProgramKind, (program: Program) => readonly (string | null)[]>> = {
  native: (program) => [countedFile(program), countedSession(program.session)],
  script: (program) => [countedFile(program), countedFile(program.interpreter ?? {})],
  container: ({ container, executable }) => (container === 'other' ? [container] : [container ?? null, executable ?? null]),
  wine: ({ interpreter }) => [countedFile(interpreter ?? {})],
  page: ({ executable }) => [executable ?? null],
  unknown: () => [],
}

/**
 * Key under which accounting counts a program. It does not depend on the file's content, so modifying the file does not reset it. All unknown
 * programs of a user count as one. Containers without an application count by their user namespace, and together (see groupOf).
 */
export function programKey(program: Program): string {
  const key = JSON.stringify([program.kind, program.uid ?? null, ...COUNTED[program.kind](program)])
  return program.namespace === undefined ? key : `${key} in ${program.namespace}`
}

const IN_GROUP = /^(.*\]) in \d+$/s

/**
 * Key of the programs that are also counted together; undefined for a program that is in no group. A program in our own user namespace can
 * make any number of others, confine itself and so be any number of containers.
 */
export const groupOf = (key: string): string | undefined => IN_GROUP.exec(key)?.[1]

/** What the system reports about the peer's program. */
export interface ProgramFacts {
  readonly uid?: number
  /** As Program has it. */
  readonly executable?: string
  readonly file?: string
  /** Absent: a page when there is an origin, else a native program when its file is known. */
  readonly kind?: ProgramKind
  readonly interpreter?: FileIdentity
  readonly loader?: FileIdentity
  readonly container?: ContainerKind
  readonly namespace?: string
  readonly session?: string
  readonly isTyped?: boolean
  /** Of a page in a browser. */
  readonly origin?: string
}

export function programOf(facts: ProgramFacts): Program {
  const { uid, executable, file, kind, interpreter, loader, container, namespace, session, isTyped, origin } = facts
  if (origin !== undefined) return { kind: 'page', uid: undefined, executable: origin, file: undefined }
  const isNative = executable !== undefined && file !== undefined
  return {
    kind: kind ?? (isNative ? 'native' : 'unknown'),
    uid,
    executable,
    file,
    interpreter,
    loader,
    container,
    namespace,
    session,
    ...(isTyped === undefined ? {} : { isTyped }),
  }
}

/** Where a program is, if that is no claim of its own. */
const placeOf = ({ kind, uid, executable, container, interpreter }: Program): readonly string[] =>
  kind === 'container' && container === 'other'
    ? []
    : [
        JSON.stringify([
          kind,
          uid ?? null,
          kind === 'unknown' ? null : (executable ?? null),
          container ?? null,
          interpreter?.executable ?? null,
        ]),
      ]

const BY = 'by:'

/**
 * A user has several terminals; those that programs make are one, because a program can make more of them. A starter is known by path and file,
 * as any program that was refused.
 */
function sessionKeysOf(session: string): readonly string[] {
  if (session.startsWith('pty:')) return ['session pty']
  if (isNoSession(session)) return [`session ${NO_SESSION}`]
  if (!session.startsWith(BY)) return [`session ${session}`]
  const [executable, , file] = JSON.parse(session.slice(BY.length)) as readonly (string | null)[]
  return [`starter ${executable}`, ...(typeof file === 'string' ? [`starter file ${nodeOf(file)}`] : [])]
}

/**
 * Keys that recognise a program that is counted or was refused. One match is enough, so touching, renaming or copying its file does not
 * reset anything.
 */
export function recognitionKeysOf(program: Program): readonly string[] {
  const { file, digest, session } = program
  // All starters run the same file of the command line, so a refusal holds for one session only.
  if (session !== undefined) return sessionKeysOf(session)
  return [
    ...placeOf(program),
    ...(file === undefined ? [] : [`file ${nodeOf(file)}`]),
    ...(digest === undefined ? [] : [`content ${digest}`]),
  ]
}

export const shareKey = (keys: readonly string[], others: readonly string[]): boolean => keys.some((key) => others.includes(key))
