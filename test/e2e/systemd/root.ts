/** Debians with systemd, Flatpak and two users, in folders. Each is made once and stays in the cache, because it takes minutes. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { missingPrograms } from '../install/missing-programs.ts'
import { ROOT } from '../wine/wine.ts'

const run = promisify(execFile)

const MIRROR = 'http://deb.debian.org/debian'
const LOTS = { maxBuffer: 1 << 26 }
/** The libraries are those that the package of the bridge depends on. */
const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'systemd-container', 'libpam-systemd', 'dbus', 'dbus-user-session'],
  ...['flatpak', 'bubblewrap', 'busybox-static', 'libatomic1', 'libstdc++6'],
]
/** A screen, a panel, a notification service, what opens pages, and the package manager of another family. */
const DESKTOP = ['xvfb', 'xfce4-panel', 'dunst', 'xdg-utils', 'adwaita-icon-theme', 'scrot', 'rpm']
/** Old Wine cannot start the Node of the executables, so only this release has it. */
const WINE = ['wine', 'wine64']

export interface System {
  readonly release: 'bookworm' | 'trixie'
  /** Added to the system once it is there. */
  readonly more: readonly string[]
}

export const SYSTEMS = {
  plain: { release: 'bookworm', more: [] },
  bookworm: { release: 'bookworm', more: DESKTOP },
  trixie: { release: 'trixie', more: [...DESKTOP, ...WINE] },
} as const satisfies Record<string, System>

export type SystemName = keyof typeof SYSTEMS

export const rootOf = (name: SystemName): string => join(ROOT, '.cache', 'systemd', name)
/** Written last; says what the folder was made of. */
const recipeOf = (folder: string): string => join(folder, 'recipe')

/** Both have a user manager from the boot on. */
export const USERS = { player: 1000, guest: 1001 } as const

const recipe = (name: SystemName): string => JSON.stringify([SYSTEMS[name], PACKAGES, USERS])

function isMade(name: SystemName): boolean {
  const file = recipeOf(rootOf(name))
  return existsSync(file) && readFileSync(file, 'utf8') === recipe(name)
}

async function makeAt(folder: string, name: SystemName): Promise<void> {
  const { release, more }: System = SYSTEMS[name]
  await run('debootstrap', ['--variant=minbase', `--include=${PACKAGES.join(',')}`, release, folder, MIRROR], LOTS)
  if (more.length > 0) {
    const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...more]
    await run('chroot', [folder, 'env', 'DEBIAN_FRONTEND=noninteractive', ...install], LOTS)
    await run('chroot', [folder, 'apt-get', 'clean'])
  }
  const lingering = join(folder, 'var/lib/systemd/linger')
  await mkdir(lingering, { recursive: true })
  for (const [user, uid] of Object.entries(USERS)) {
    await run('chroot', [folder, 'useradd', '--create-home', '--uid', String(uid), '--shell', '/bin/sh', user])
    await writeFile(join(lingering, user), '')
  }
  await writeFile(recipeOf(folder), recipe(name))
  await chmod(folder, 0o755)
}

/** Files of tests run at once, so each makes one of its own, and the first to be ready is kept. */
async function makeRoot(name: SystemName): Promise<void> {
  const root = rootOf(name)
  await mkdir(dirname(root), { recursive: true })
  const folder = await mkdtemp(`${root}-`)
  try {
    await makeAt(folder, name)
    if (isMade(name)) return
    await rm(root, { recursive: true, force: true })
    await rename(folder, root)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function whyNot(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'A system is started as root on Linux only.'
  const missing = await missingPrograms({
    gcc: 'gcc',
    'dpkg-deb': 'dpkg',
    debootstrap: 'debootstrap',
    nsenter: 'util-linux',
    'systemd-nspawn': 'systemd-container',
  })
  if (missing !== undefined) return missing
  const refused = 'A system needs namespaces, and "unshare" makes none here.'
  return run('unshare', ['--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup', '--fork', 'true']).then(
    () => undefined,
    () => refused,
  )
}

/** The last line that a program printed which failed. */
const lastWords = (failure: unknown): string => {
  const printed = failure instanceof Error && 'stdout' in failure ? String(failure.stdout) : String(failure)
  return printed.trim().split('\n').at(-1) ?? ''
}

/** Makes the root unless it is there. Resolves to a sentence where it cannot be had. */
export async function obstacleToRoot(name: SystemName): Promise<string | undefined> {
  const obstacle = await whyNot()
  if (obstacle !== undefined || isMade(name)) return obstacle
  return makeRoot(name).then(
    () => undefined,
    (failure: unknown) => `no Debian ${SYSTEMS[name].release} can be made from ${MIRROR} here: ${lastWords(failure)}`,
  )
}
