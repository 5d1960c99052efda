/**
 * `npm run lock:integrity`: adds the missing SHA-512 of packages to package-lock.json, computed from their archives.
 * Changes nothing else. Reports packages that the registry does not have.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { integrityOf, npmPack, type Pack, packBytes } from './npm-package.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MODULES = 'node_modules/'

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
}

interface Lock {
  readonly packages: Readonly<Record<string, Entry>>
}

/** The entry with its integrity at the position where npm writes it. */
const withIntegrity = ({ version, ...rest }: Entry, integrity: string): Entry => ({
  ...(version !== undefined && { version }),
  integrity,
  ...rest,
})

async function integrityFrom(pack: Pack, specifier: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'integrity-'))
  try {
    return integrityOf(await packBytes(specifier, folder, pack))
  } catch {
    // npm prints the error on stderr; the caller reports the package.
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The lockfile with added integrity, and the packages that still have none. */
export async function addMissingIntegrity<L extends Lock>(
  lock: L,
  pack: Pack,
): Promise<{ readonly lock: L; readonly missing: readonly string[] }> {
  const missing: string[] = []
  const packages: Record<string, Entry> = {}
  for (const [path, entry] of Object.entries(lock.packages)) {
    const isPackage = path.includes(MODULES) && entry.link !== true
    if (!isPackage || entry.integrity !== undefined) packages[path] = entry
    else {
      const specifier = `${path.slice(path.lastIndexOf(MODULES) + MODULES.length)}@${entry.version}`
      const integrity = await integrityFrom(pack, specifier)
      if (integrity === undefined) missing.push(specifier)
      packages[path] = integrity === undefined ? entry : withIntegrity(entry, integrity)
    }
  }
  return { lock: { ...lock, packages }, missing }
}

if (import.meta.main) {
  const file = join(ROOT, 'package-lock.json')
  const { lock, missing } = await addMissingIntegrity(JSON.parse(await readFile(file, 'utf8')) as Lock, npmPack(ROOT))
  await writeFile(file, `${JSON.stringify(lock, undefined, 2)}\n`)
  for (const specifier of missing) console.log(`still without integrity, not available from npm: ${specifier}`)
}
