/** A booted system with users' managers, where the control groups are those of a desktop. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment } from '../support/daemon.ts'
import { rootOf, type SystemName, USERS } from './root.ts'

export type User = keyof typeof USERS

/** Where programs of the machine see the shared folder. */
export const SHARED = '/opt/shared'
/** Of what the player starts, as control groups. */
export const APPLICATIONS = '/user.slice/user-1000.slice/user@1000.service/app.slice'
const BOOT_MS = 60_000
const LOOK_MS = 50

/** The mount of control groups v2, alone or beside those of v1. */
function groupsOfThisMachine(): string {
  const found = /^(?:\S+ ){4}(\S+) .* - cgroup2 /m.exec(readFileSync('/proc/self/mountinfo', 'utf8'))?.[1]
  if (found === undefined) throw new Error('no control groups v2 are mounted on this machine')
  return found
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/**
 * Runs a program of the rest of its arguments in a new control group, its first argument, until its input ends. Then it ends every process of
 * the group: a machine whose starter was killed goes on otherwise. The group is removed once it is empty,
 * and so is the folder that systemd-nspawn leaves.
 */
const GUARD = `
group=$1 && shift && mkdir "$group" || exit
sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@" &
read -r end
echo 1 >"$group/cgroup.kill"
wait
until find "$group" -depth -type d -exec rmdir {} + 2>/dev/null; do sleep 0.1; done
rmdir "/run/systemd/nspawn/propagate/\${group##*/}" 2>/dev/null`

async function until<Found>(what: string, found: () => Found | undefined): Promise<Found> {
  for (let left = BOOT_MS; left > 0; left -= LOOK_MS) {
    const one = found()
    if (one !== undefined) return one
    await pause(LOOK_MS)
  }
  throw new Error(`the machine did not start: ${what} is missing after ${BOOT_MS} ms`)
}

export class Machine {
  readonly #guard: ChildProcess
  readonly #leader: string

  private constructor(guard: ChildProcess, leader: string) {
    this.#guard = guard
    this.#leader = leader
  }

  /** `shared`: a folder of this machine, to read. What the other writes is gone with it. */
  static async boot(shared: string, system: SystemName = 'plain'): Promise<Machine> {
    const name = `sallyport-${process.pid}-${Math.trunc(performance.now())}`
    const group = join(groupsOfThisMachine(), name)
    const words = [
      ...[`--directory=${rootOf(system)}`, '--volatile=overlay', '--boot', `--machine=${name}`, `--bind-ro=${shared}:${SHARED}`],
      ...['--private-network', '--keep-unit', '--register=no', '--console=pipe', '--quiet'],
    ]
    const child = spawn('sh', ['-c', GUARD, 'sh', group, 'systemd-nspawn', ...words], {
      env: { ...cleanEnvironment(), SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
      // What kills the test with its group must not kill the guard.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    try {
      const leader = await until('its first process', () => /^\d+/.exec(read(join(group, 'payload/init.scope/cgroup.procs')))?.[0])
      const machine = new Machine(child, leader)
      const sockets = Object.values(USERS).map((uid) => `/run/user/${uid}/systemd/private`)
      await until('a user manager', () => sockets.every((path) => existsSync(machine.path(path))) || undefined)
      return machine
    } catch (failure) {
      await end(child)
      throw failure
    }
  }

  /** The path of a file of the machine, from outside. */
  path(inside: string): string {
    return join('/proc', this.#leader, 'root', inside)
  }

  /** Words before a command of root. */
  get asRoot(): readonly [string, ...string[]] {
    const folder = `/proc/${this.#leader}/root`
    const spaces = ['--mount', '--pid', '--uts', '--ipc', '--net', '--cgroup']
    return ['nsenter', `--target=${this.#leader}`, ...spaces, `--root=${folder}`, `--wd=${folder}`, 'env', '-i', 'PATH=/usr/sbin:/usr/bin']
  }

  /** Words before a command of a user, outside of the user's manager. */
  as(user: User): readonly [string, ...string[]] {
    const uid = USERS[user]
    const runtime = `/run/user/${uid}`
    const become = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--init-groups', '--reset-env']
    return [...this.asRoot, ...become, 'env', `XDG_RUNTIME_DIR=${runtime}`, `DBUS_SESSION_BUS_ADDRESS=unix:path=${runtime}/bus`]
  }

  /** Words before a command that the player's manager starts, in a unit of its own, as a desktop does. */
  inUnit(...properties: readonly string[]): readonly [string, ...string[]] {
    const run = ['systemd-run', '--user', '--quiet', '--collect', '--wait', '--pipe', '--working-directory=/']
    return [...this.as('player'), ...run, ...properties.map((one) => `--property=${one}`), '--']
  }

  /** Words before a command of the player's in a login of its own, as at a console. `more`: options of systemd-run. */
  inLogin(more: readonly string[] = []): readonly [string, ...string[]] {
    const run = ['systemd-run', '--quiet', '--collect', '--wait', '--pipe', '--working-directory=/', ...more]
    return [...this.asRoot, ...run, '--uid=player', '--property=PAMName=login', '--']
  }

  /** Runs a command of a user to its end; returns what it printed. Throws when it fails. */
  run(user: User | 'root', ...words: readonly string[]): string {
    const [program, ...args] = [...(user === 'root' ? this.asRoot : this.as(user)), ...words] as [string, ...string[]]
    return execFileSync(program, args, { encoding: 'utf8', env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'], timeout: BOOT_MS })
  }

  /** Words before a program of this machine that runs in the network of the other. */
  get inNetwork(): readonly [string, ...string[]] {
    return ['nsenter', `--net=/proc/${this.#leader}/ns/net`]
  }

  /** Writes a file of a user. */
  write(user: User, path: string, text: string): void {
    const script = 'mkdir -p "$(dirname "$1")" && printf %s "$2" >"$1"'
    this.run(user, 'sh', '-c', script, 'sh', path, text)
  }

  /** Ends every process of it; its mounts and files end with them. */
  stop(): Promise<void> {
    return end(this.#guard)
  }
}

async function end(guard: ChildProcess): Promise<void> {
  guard.stdin?.end()
  await ended(guard)
}
