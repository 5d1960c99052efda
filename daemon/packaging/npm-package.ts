/** A file out of an npm package of any system, and only out of bytes whose SHA-512 is the one in the lockfile: from node_modules, else fetched once. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const DIGEST_IN_PATH = 16

export interface PackageRequest {
  readonly root: string
  /** As npm names it. */
  readonly name: string
  readonly version: string
  /** A file that is in it. */
  readonly holds: string
  /** What its archive must hash to, where the lockfile does not hold this version. */
  readonly integrity?: string
}

/** Lays the archive of a package, and nothing else, into an empty folder. */
export type Pack = (specifier: string, folder: string) => Promise<void>

/** Asks npm, with the settings of the folder `root`. No script of the package runs. */
export const npmPack =
  (root: string): Pack =>
  async (specifier, folder) => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    await run(npm, ['pack', '--pack-destination', folder, specifier], { cwd: root })
  }

/** The archive that was laid into the folder. */
export async function packedBytes(specifier: string, folder: string, pack: Pack): Promise<Buffer> {
  await pack(specifier, folder)
  const [archive] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  if (archive === undefined) throw new Error(`npm gave no archive of ${specifier}; try again, or ask another registry`)
  return readFile(join(folder, archive))
}

/** As npm writes it into a lockfile. */
export const integrityOf = (bytes: Uint8Array): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>
}

const integrityIn = ({ packages }: Lock, { name, version }: PackageRequest): string | undefined => {
  const entry = packages?.[`node_modules/${name}`]
  return entry?.version === version ? entry.integrity : undefined
}

const readLock = async (file: string): Promise<Lock> => JSON.parse(await readFile(file, 'utf8')) as Lock

/** Rejects without one: a package that nobody pinned must not go into an executable. */
async function lockedIntegrity(request: PackageRequest): Promise<string> {
  const integrity = request.integrity ?? integrityIn(await readLock(join(request.root, 'package-lock.json')), request)
  if (integrity?.startsWith('sha512-') === true) return integrity
  throw new Error(
    `package-lock.json holds no SHA-512 of ${request.name}@${request.version}; add it with "npm run lock:integrity" and review the change`,
  )
}

/** Whether npm wrote down that it installed exactly these bytes. */
async function isInstalled(request: PackageRequest, integrity: string): Promise<boolean> {
  const written = join(request.root, 'node_modules', '.package-lock.json')
  return existsSync(written) && integrityIn(await readLock(written), request) === integrity
}

/** Fetches, compares, unpacks beside the cache, and moves into it only what passed. */
async function fetchInto(home: string, request: PackageRequest, integrity: string, pack: Pack): Promise<void> {
  const specifier = `${request.name}@${request.version}`
  const cache = join(home, '..')
  await mkdir(cache, { recursive: true })
  const scratch = await mkdtemp(join(cache, 'fetching-'))
  try {
    const bytes = await packedBytes(specifier, scratch, pack)
    if (integrityOf(bytes) !== integrity) {
      throw new Error(`what npm gave for ${specifier} has another SHA-512 than was pinned; do not use it, and find out why`)
    }
    const unpacked = join(scratch, 'unpacked')
    await mkdir(unpacked)
    const tar = run('tar', ['-xzf', '-', '-C', unpacked])
    tar.child.stdin?.end(bytes)
    await tar
    if (!existsSync(join(unpacked, 'package', request.holds))) throw new Error(`${specifier} holds no ${request.holds}`)
    await rename(unpacked, home).catch((error: unknown) => {
      // Another run was faster: what lies there passed the same check.
      if (!existsSync(home)) throw error
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Path of the file `holds`. Looks in node_modules, then in the cache below the root, then asks npm for the package.
 * Rejects when the lockfile does not pin the package, when npm cannot give it, or gives other bytes than the lockfile names.
 */
export async function fileOfPackage(request: PackageRequest, pack: Pack = npmPack(request.root)): Promise<string> {
  const { root, name, version, holds } = request
  const integrity = await lockedIntegrity(request)
  const installed = join(root, 'node_modules', name, holds)
  if (existsSync(installed) && (await isInstalled(request, integrity))) return installed
  const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex').slice(0, DIGEST_IN_PATH)
  const home = join(root, '.cache', 'packages', `${basename(name)}-${version}-${digest}`)
  if (!existsSync(home)) await fetchInto(home, request, integrity, pack)
  return join(home, 'package', holds)
}
