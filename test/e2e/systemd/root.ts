/** A Debian with systemd, Flatpak and two users, in a folder. It is made once and stays in the cache, because it takes a minute. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { missingPrograms } from '../install/missing-programs.ts'
import { ROOT } from '../wine/wine.ts'

const run = promisify(execFile)

const RELEASE = 'bookworm'
const MIRROR = 'http://deb.debian.org/debian'
/** The libraries are those that the package of the bridge depends on. */
const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'systemd-container', 'libpam-systemd', 'dbus', 'dbus-user-session'],
  ...['flatpak', 'bubblewrap', 'busybox-static', 'libatomic1', 'libstdc++6'],
]
export const SYSTEM_ROOT = join(ROOT, '.cache', 'systemd', RELEASE)
/** Written last; says what the folder was made of. */
const RECIPE = join(SYSTEM_ROOT, 'recipe')

/** Both have a user manager from the boot on. */
export const USERS = { player: 1000, guest: 1001 } as const

const recipe = (): string => JSON.stringify([RELEASE, PACKAGES, USERS])

const isMade = (): boolean => existsSync(RECIPE) && readFileSync(RECIPE, 'utf8') === recipe()

async function makeAt(folder: string): Promise<void> {
  const words = ['--variant=minbase', `--include=${PACKAGES.join(',')}`, RELEASE, folder, MIRROR]
  await run('debootstrap', words, { maxBuffer: 1 << 26 })
  const lingering = join(folder, 'var/lib/systemd/linger')
  await mkdir(lingering, { recursive: true })
  for (const [name, uid] of Object.entries(USERS)) {
    await run('chroot', [folder, 'useradd', '--create-home', '--uid', String(uid), '--shell', '/bin/sh', name])
    await writeFile(join(lingering, name), '')
  }
  await writeFile(join(folder, 'recipe'), recipe())
  await chmod(folder, 0o755)
}

/** Files of tests run at once, so each makes one of its own, and the first to be ready is kept. */
async function makeRoot(): Promise<void> {
  await mkdir(dirname(SYSTEM_ROOT), { recursive: true })
  const folder = await mkdtemp(`${SYSTEM_ROOT}-`)
  try {
    await makeAt(folder)
    if (isMade()) return
    await rm(SYSTEM_ROOT, { recursive: true, force: true })
    await rename(folder, SYSTEM_ROOT)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function whyNot(): Promise<string | undefined> {
  if (process.env['TEST_SYSTEMD'] === undefined) return 'A system is started for it: npm run test:long -- systemd'
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
export async function obstacleToRoot(): Promise<string | undefined> {
  const obstacle = await whyNot()
  if (obstacle !== undefined || isMade()) return obstacle
  return makeRoot().then(
    () => undefined,
    (failure: unknown) => `debootstrap cannot make a Debian from ${MIRROR} here: ${lastWords(failure)}`,
  )
}
