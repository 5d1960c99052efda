/** Provides a file of an npm package for any system, from node_modules or downloaded once, if its SHA-512 matches the lockfile. */
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
  /** The npm name. */
  readonly name: string
  readonly version: string
  /** The path of the file in the package. */
  readonly file: string
  /** The integrity of the archive, if the lockfile does not contain this version. */
  readonly integrity?: string
}

/** Downloads the archive of a package into an empty folder. */
export type Pack = (specifier: string, folder: string) => Promise<void>

/** Runs `npm pack` with the settings of `root`. Runs no script of the package. */
export const npmPack =
  (root: string): Pack =>
  async (specifier, folder) => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    await run(npm, ['pack', '--pack-destination', folder, specifier], { cwd: root })
  }

/** The bytes of the downloaded archive. */
export async function packBytes(specifier: string, folder: string, pack: Pack): Promise<Buffer> {
  await pack(specifier, folder)
  const [archive] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  if (archive === undefined) throw new Error(`npm returned no archive of ${specifier}; try again, or use another registry`)
  return readFile(join(folder, archive))
}

/** The integrity in the format of the lockfile. */
export const integrityOf = (bytes: Uint8Array): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>
}

const integrityIn = ({ packages }: Lock, { name, version }: PackageRequest): string | undefined => {
  const entry = packages?.[`node_modules/${name}`]
  return entry?.version === version ? entry.integrity : undefined
}

const readLock = async (file: string): Promise<Lock> => JSON.parse(await readFile(file, 'utf8')) as Lock

/** Rejects a package that is not pinned, because it must not go into an executable. */
async function lockedIntegrity(request: PackageRequest): Promise<string> {
  const integrity = request.integrity ?? integrityIn(await readLock(join(request.root, 'package-lock.json')), request)
  if (integrity?.startsWith('sha512-') === true) return integrity
  throw new Error(
    `package-lock.json has no SHA-512 of ${request.name}@${request.version}; add it with "npm run lock:integrity" and review the change`,
  )
}

/** Whether npm recorded the installation of these bytes. */
async function isInstalled(request: PackageRequest, integrity: string): Promise<boolean> {
  const written = join(request.root, 'node_modules', '.package-lock.json')
  return existsSync(written) && integrityIn(await readLock(written), request) === integrity
}

function assertContains(folder: string, { name, version, file }: PackageRequest): void {
  if (!existsSync(join(folder, file))) throw new Error(`${name}@${version} does not contain ${file}`)
}

/** Downloads, verifies and unpacks, then moves the result into the cache. */
async function fetchInto(home: string, request: PackageRequest, integrity: string, pack: Pack): Promise<void> {
  const specifier = `${request.name}@${request.version}`
  const cache = join(home, '..')
  await mkdir(cache, { recursive: true })
  const scratch = await mkdtemp(join(cache, 'fetching-'))
  try {
    const bytes = await packBytes(specifier, scratch, pack)
    if (integrityOf(bytes) !== integrity) {
      throw new Error(`the archive of ${specifier} has another SHA-512 than the pinned one; do not use it, and find out why`)
    }
    const unpacked = join(scratch, 'unpacked')
    await mkdir(unpacked)
    const tar = run('tar', ['-xzf', '-', '-C', unpacked])
    tar.child.stdin?.end(bytes)
    await tar
    assertContains(join(unpacked, 'package'), request)
    await rename(unpacked, home).catch((error: unknown) => {
      // Another run was faster and has verified its result.
      if (!existsSync(home)) throw error
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * The path of the file. Searches node_modules, then the cache below the root, then downloads the package.
 * Rejects if the lockfile does not pin the package, npm does not have it, or its bytes do not match the lockfile.
 */
export async function fileOfPackage(request: PackageRequest, pack: Pack = npmPack(request.root)): Promise<string> {
  const { root, name, version, file } = request
  const integrity = await lockedIntegrity(request)
  const installed = join(root, 'node_modules', name, file)
  if (existsSync(installed) && (await isInstalled(request, integrity))) return installed
  const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex').slice(0, DIGEST_IN_PATH)
  const home = join(root, '.cache', 'packages', `${basename(name)}-${version}-${digest}`)
  if (!existsSync(home)) await fetchInto(home, request, integrity, pack)
  else assertContains(join(home, 'package'), request)
  return join(home, 'package', file)
}
