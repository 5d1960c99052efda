/** The folder of a package of another system: installed here when it is this system's too, else fetched once with `npm pack`. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PackageRequest {
  readonly root: string
  /** As npm names it. */
  readonly name: string
  readonly version: string
  /** A file that is in it. */
  readonly holds: string
}

/** The integrity that a lockfile holds for a package, so that what is fetched later is what was locked. */
async function lockedIntegrity({ root, name, version }: PackageRequest): Promise<string | undefined> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string }>
  }
  const entry = lock.packages[`node_modules/${name}`]
  return entry?.version === version ? entry.integrity : undefined
}

/**
 * Path of the file `holds`. Looks in node_modules, then in the cache below the root, then asks npm for the package; none of its scripts run.
 * Rejects when npm cannot give it, or gives other bytes than the lockfile names.
 */
export async function fileOfPackage(request: PackageRequest): Promise<string> {
  const { root, name, version, holds } = request
  const installed = join(root, 'node_modules', name)
  if (existsSync(join(installed, holds))) {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string }
    if (manifest.version === version) return join(installed, holds)
  }
  const home = join(root, '.cache', 'node', `${basename(name)}-${version}`)
  const file = join(home, 'package', holds)
  if (existsSync(file)) return file
  await mkdir(home, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { stdout } = await run(npm, ['pack', '--json', '--pack-destination', home, `${name}@${version}`], { cwd: root })
  const [packed] = JSON.parse(stdout) as readonly { filename: string; integrity: string }[]
  if (packed === undefined) throw new Error(`npm gave no ${name}@${version}`)
  const locked = await lockedIntegrity(request)
  if (locked !== undefined && locked !== packed.integrity) throw new Error(`${name}@${version} is not the one that the lockfile names`)
  const archive = join(home, packed.filename)
  await run('tar', ['-xzf', archive, '-C', home])
  await rm(archive)
  return file
}
