/** The Linux packages, and what is typed to install, replace and remove each. */
import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Target, TARGETS } from '#daemon/packaging/base-node.ts'
import { makeDeb } from '#daemon/packaging/installers/deb.ts'
import type { InstallerInput } from '#daemon/packaging/installers/installer.ts'
import { layOut } from '#daemon/packaging/installers/payload.ts'
import { makeRpm } from '#daemon/packaging/installers/rpm.ts'
import { archiveFiles } from '#daemon/packaging/installers/tarball.ts'
import { SMOKE_TARGETS } from '../e2e/support/daemon.ts'
import { SHARED, type User } from '../e2e/systemd/machine.ts'
import { ROOT } from '../e2e/wine/wine.ts'

export const [OLD, NEW] = ['1.0.0', '1.1.0'] as const
type Version = typeof OLD | typeof NEW

/** Of the files in the packages, in seconds since the epoch. */
const TIME = 1_767_225_600

export interface Packaging {
  /** Who types the lines below. */
  readonly by: User | 'root'
  /** Whose socket it opens. */
  readonly serves: readonly User[]
  readonly program: string
  /** Makes the package of this version in a folder. */
  readonly make: (input: InstallerInput) => Promise<void>
  readonly file: (version: Version) => string
  readonly install: (file: string) => string
  readonly upgrade: (file: string) => string
  readonly downgrade: (file: string) => string
  readonly remove: string
  /** Absent: this family has no such word. */
  readonly purge?: string
}

/** Without compression, which takes longer than all else. */
async function makeArchive(input: InstallerInput): Promise<void> {
  const name = `sallyport-${input.version}`
  await layOut(join(input.scratch, name), await archiveFiles(input), input.time)
  await promisify(execFile)('tar', ['-cf', input.output, '-C', input.scratch, name])
}

const EVERY_USER = { by: 'root', serves: ['player', 'guest'], program: '/usr/bin/sallyport' } as const
/** The archive's own folder is where the player unpacked it. */
const unpack = (file: string): string => `tar -xf ${file} && $(basename ${file} .tar)/install.sh`

export const PACKAGINGS = {
  deb: {
    ...EVERY_USER,
    make: (input) => makeDeb(input, 'none'),
    file: (version) => `sallyport_${version}.deb`,
    install: (file) => `apt-get install -y ${file}`,
    upgrade: (file) => `apt-get install -y ${file}`,
    downgrade: (file) => `apt-get install -y --allow-downgrades ${file}`,
    remove: 'apt-get remove -y sallyport',
    purge: 'apt-get purge -y sallyport',
  },
  rpm: {
    ...EVERY_USER,
    make: (input) => makeRpm(input, 'none'),
    file: (version) => `sallyport-${version}.rpm`,
    install: (file) => `rpm -i --nodeps ${file}`,
    upgrade: (file) => `rpm -U --nodeps ${file}`,
    downgrade: (file) => `rpm -U --nodeps --oldpackage ${file}`,
    remove: 'rpm -e sallyport',
  },
  tar: {
    by: 'player',
    serves: ['player'],
    program: '/home/player/.local/bin/sallyport',
    make: makeArchive,
    file: (version) => `sallyport-${version}.tar`,
    install: unpack,
    upgrade: unpack,
    downgrade: unpack,
    remove: `sallyport-${OLD}/install.sh --uninstall`,
    purge: `sallyport-${OLD}/install.sh --uninstall --purge`,
  },
} as const satisfies Record<string, Packaging>

export type PackagingName = keyof typeof PACKAGINGS

const found = SMOKE_TARGETS.find(({ name }) => name === 'packaged')?.command[0]

export const obstacleToPackages = (): string | undefined =>
  found === undefined ? 'There is no packaged file; run "npm run package" on Linux.' : undefined

/** The packaged file and its target. Throws before `npm run package`. */
export function packaged(): { readonly executable: string; readonly target: Target } {
  const target = TARGETS.find(({ platform, arch }) => platform === 'linux' && arch === process.arch)
  if (found === undefined || target === undefined) throw new Error('there is no packaged file')
  return { executable: found, target }
}

/** Makes both versions of a package in a folder, with the same program. */
export async function makePackages(name: PackagingName, folder: string, scratch: string): Promise<void> {
  const program = packaged()
  const { make, file } = PACKAGINGS[name]
  for (const version of [OLD, NEW] as const) {
    const own = join(scratch, version)
    await mkdir(own, { recursive: true })
    await make({ root: ROOT, notices: [], version, ...program, output: join(folder, file(version)), scratch: own, time: TIME })
    await rm(own, { recursive: true })
  }
}

export const inMachine = (name: PackagingName, version: Version): string => `${SHARED}/${PACKAGINGS[name].file(version)}`
