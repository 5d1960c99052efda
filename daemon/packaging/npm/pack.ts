/** Packs a published package, after it made the files that are not in the tree. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleProgram } from '../program.ts'
import { filesOf, type Published } from './published.ts'

const run = promisify(execFile)
const MAX_OUTPUT = 16 * 1024 * 1024

export interface PackedFile {
  readonly path: string
  readonly size: number
}

interface Packed {
  readonly filename: string
  readonly files: readonly PackedFile[]
}

/** What `npm pack` reports. With `folder` it writes the archive there, otherwise it writes none. Runs no script. */
export async function npmPack(root: string, home: string, folder?: string): Promise<Packed> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const where = folder === undefined ? ['--dry-run'] : ['--pack-destination', folder]
  const words = ['pack', '--json', '--ignore-scripts', ...where, `./${home}`]
  const { stdout } = await run(npm, words, { cwd: root, maxBuffer: MAX_OUTPUT, shell: process.platform === 'win32' })
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, Packed>)
  if (packed === undefined) throw new Error(`npm packed nothing of ${home}; run "npm pack ./${home}" to see why`)
  return packed
}

/** Makes the files that are not in the tree. */
export async function buildPublished(root: string, { home, build }: Published): Promise<void> {
  if (build === 'bundle') await bundleProgram()
  else await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', join(root, home)])
}

/** How the files of a package differ from those that it should hold, one line each. */
export async function differences(root: string, published: Published, files: readonly PackedFile[]): Promise<readonly string[]> {
  const expected = new Set(await filesOf(root, published))
  const found = new Set(files.map(({ path }) => path))
  return [
    ...[...found].filter((path) => !expected.has(path)).map((path) => `${path} does not belong into ${published.name}`),
    ...[...expected].filter((path) => !found.has(path)).map((path) => `${path} is missing in ${published.name}`),
  ]
}

export interface Archive {
  readonly path: string
  readonly files: readonly PackedFile[]
}

/** Builds the package and writes its archive into the folder. Rejects if it would hold other files than it should. */
export async function packPublished(root: string, published: Published, folder: string): Promise<Archive> {
  await buildPublished(root, published)
  const { files } = await npmPack(root, published.home)
  const wrong = await differences(root, published, files)
  if (wrong.length > 0)
    throw new Error([`Remove ${published.home}/dist and pack again, or correct "files" in its manifest:`, ...wrong].join('\n'))
  await mkdir(folder, { recursive: true })
  const { filename } = await npmPack(root, published.home, folder)
  return { path: join(folder, filename), files }
}
