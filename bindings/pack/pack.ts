/** Makes archives of the table. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { packPublished } from '#daemon/packaging/npm/pack.ts'
import { PUBLISHED } from '#daemon/packaging/npm/published.ts'
import type { Archive, FileArchive } from './archives.ts'
import { collect, type Files } from './files.ts'
import { missingFrom } from './named.ts'
import { nugetFiles } from './nuget.ts'
import { packPython } from './python.ts'
import { zip } from './zip.ts'

const run = promisify(execFile)
export const ROOT = resolve(import.meta.dirname, '../..')
/** 1 January 1980, in seconds since the epoch: the same files make the same archive. */
const DATE = '@315532800'
const SAME = ['--sort=name', `--mtime=${DATE}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rw,go=r,a+X']

async function runAloud(program: string, words: readonly string[]): Promise<void> {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}; see above.`)
}

/** A made archive. */
export interface Made {
  readonly path: string
  /** Path in the archive, and bytes. */
  readonly content: readonly (readonly [string, number])[]
}

const sizes = (files: Files): Made['content'] => [...files].map(([path, data]) => [path, data.length])

/** Writes the files below the folder. */
export async function unpackInto(folder: string, files: Files): Promise<void> {
  for (const [path, data] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), data)
  }
}

async function writeTar(path: string, files: Files): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'spt-'))
  try {
    await unpackInto(scratch, files)
    const [top = ''] = [...files.keys()].map((one) => one.split('/')[0])
    await run('tar', [...SAME, '--use-compress-program=gzip -9 -n', '-cf', path, '-C', scratch, top])
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function packNpm(name: string, folder: string): Promise<Made> {
  const published = PUBLISHED.find((one) => one.name === name)
  if (published === undefined) throw new Error(`${name} is not among the published packages`)
  const { path, files } = await packPublished(ROOT, published, folder)
  return { path, content: files.map((file) => [`package/${file.path}`, file.size]) }
}

/** The files of an archive, some of which its script makes. */
export async function filesOf(archive: FileArchive): Promise<Files> {
  const built = await mkdtemp(join(tmpdir(), 'spb-'))
  try {
    // It says on stderr what is missing.
    if (archive.build !== undefined) await runAloud(process.execPath, [join(ROOT, archive.build), built])
    const files = collect({ root: ROOT, built }, archive)
    const missing = missingFrom(files, archive.needs)
    if (missing.length > 0) throw new Error(`${missing.join('; ')}. Install the compilers that its script names above, or add the file.`)
    return files
  } finally {
    await rm(built, { recursive: true, force: true })
  }
}

async function packFiles(archive: FileArchive, version: string, folder: string): Promise<Made> {
  const path = join(folder, archive.file(version))
  const files = await filesOf(archive)
  if (archive.format === 'zip') await writeFile(path, zip(files))
  else await writeTar(path, files)
  return { path, content: sizes(files) }
}

async function packNuget(home: string, version: string, folder: string): Promise<Made> {
  const path = join(folder, `Sallyport.${version}.nupkg`)
  const files = await nugetFiles(join(ROOT, home), version)
  await writeFile(path, zip(files))
  return { path, content: sizes(files) }
}

/** Makes one archive in the folder. */
export async function pack(archive: Archive, folder: string): Promise<Made> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string }
  await mkdir(folder, { recursive: true })
  if ('parts' in archive) return packFiles(archive, version, folder)
  switch (archive.format) {
    case 'npm':
      return packNpm(archive.published, folder)
    case 'nupkg':
      return packNuget(archive.home, version, folder)
    case 'wheel':
    case 'sdist':
      return packPython(archive, ROOT, folder)
  }
}
