/**
 * Games and browsers in units of their own. The unit of the daemon takes away what they need, for example new namespaces and setuid programs, and
 * every child inherits that. So the user's systemd starts them, not the daemon.
 */
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Command {
  readonly program: string
  readonly args: readonly string[]
}

export interface OwnUnit {
  /** Names of the variables to pass, with the values of the environment that `systemd-run` gets, so that no command line has a value. */
  readonly variables: readonly string[]
  readonly cwd?: string | undefined
  /** The command ends with the program, with its code; otherwise as soon as the program runs. */
  readonly isAwaited: boolean
}

/** systemd replaces variables in the arguments, but not in the path of the program. */
const literal = (word: string): string => word.replaceAll('$', '$$$$')

/** The command that has the user's systemd start a program. It fails when the program cannot be executed. */
export const inOwnUnit = ({ program, args }: Command, { variables, cwd, isAwaited }: OwnUnit): Command => ({
  program: 'systemd-run',
  args: [
    '--user',
    '--quiet',
    '--collect',
    '--service-type=exec',
    // What the program started goes on without it: an opener ends before its browser.
    '--property=KillMode=process',
    ...(isAwaited ? ['--wait'] : []),
    ...(cwd === undefined ? [] : [`--working-directory=${cwd}`]),
    ...variables.map((name) => `--setenv=${name}`),
    '--',
    program,
    ...args.map(literal),
  ],
})

const CONFINED = /^NoNewPrivs:\s+1$/m

export interface ConfinedSystem {
  readonly runtimeDir: string | undefined
  /** The text of /proc/self/status. Throws where there is none. */
  readonly status: () => string
  /** Whether there is a socket at the path, and no link. Throws when there is nothing. */
  readonly isSocket: (path: string) => boolean
}

const HERE: ConfinedSystem = {
  runtimeDir: process.env['XDG_RUNTIME_DIR'],
  status: () => readFileSync('/proc/self/status', 'utf8'),
  isSocket: (path) => lstatSync(path).isSocket(),
}

/** Whether this process is confined and the user's systemd can start programs that are not. */
export function needsOwnUnit({ runtimeDir, status, isSocket }: ConfinedSystem = HERE): boolean {
  try {
    return runtimeDir !== undefined && CONFINED.test(status()) && isSocket(join(runtimeDir, 'systemd/private'))
  } catch {
    return false
  }
}
