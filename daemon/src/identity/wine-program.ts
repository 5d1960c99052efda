/**
 * Windows programs in Wine. The kernel sees the pipe bridge of the prefix, which names the program at the other end of the pipe. Every program
 * in the prefix can act as that bridge, so the name is a claim: its kind is `wine`, which never equals a program that the kernel identified.
 */
import { realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, posix } from 'node:path'
import { identityOf, isUntimed, untimedIdentity } from './file-identity.ts'
import { WINE_LOADER } from './interpreter-table.ts'
import type { FileIdentity, ProgramFacts } from './program.ts'
import { isWineLoader } from './wine-loader.ts'

/** Where `sallyport wine install` puts the pipe bridge in a prefix. */
export const BRIDGE_IN_PREFIX = 'drive_c/windows/sallyport-wine.exe'

/** The prefix of a pipe bridge; undefined if it is not where the installation puts it. */
export const prefixOfBridge = (bridge: string): string | undefined => {
  const end = posix.join('/', BRIDGE_IN_PREFIX)
  return bridge.endsWith(end) ? bridge.slice(0, -end.length) : undefined
}

/** What a pipe bridge says about the program at the other end. Empty texts: not known. */
export interface WineClaim {
  /** The Windows path of the program. */
  readonly program: string
  /** The same file as Linux names it. */
  readonly file: string
}

/**
 * The facts that replace those of the pipe bridge; undefined if the peer is no program in Wine.
 *
 * A bridge in a container stays that container, because a program inside could otherwise claim what a program outside was granted. The path
 * in a container without an application is a claim anyway, so there the claimed path stands.
 */
export function wineProgram(bridge: ProgramFacts, claim: WineClaim): ProgramFacts | undefined {
  const { uid, kind, executable, file, interpreter, container } = bridge
  const known = uid === undefined ? {} : { uid }
  if (kind === 'container') {
    const isNamed = container !== 'other' || claim.program === ''
    return isNamed ? bridge : { ...bridge, executable: claim.program }
  }
  if (kind !== 'script' || interpreter === undefined || executable === undefined || file === undefined) return undefined
  if (!WINE_LOADER.test(basename(interpreter.executable))) return undefined
  // It may be a Wine that the user made. What it says is not repeated to the user.
  if (!isWineLoader(interpreter.executable)) return { ...known, kind: 'unknown', executable: interpreter.executable }
  const program = fileOf(claim.file)
  if (program === undefined) return { ...known, kind: 'unknown', ...(claim.program === '' ? {} : { executable: claim.program }) }
  return { ...known, kind: 'wine', ...program, interpreter: { executable, file }, loader: interpreter }
}

/** A regular file; undefined if it cannot be read. */
function fileOf(path: string): FileIdentity | undefined {
  if (!isAbsolute(path)) return undefined
  try {
    const executable = realpathSync.native(path)
    const stats = statSync(executable, { bigint: true })
    if (!stats.isFile()) return undefined
    return { executable, file: isUntimed(executable, stats) ? untimedIdentity(identityOf(stats)) : identityOf(stats) }
  } catch {
    return undefined
  }
}
