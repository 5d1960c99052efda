/** The files of an archive, by their path in it. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import type { FileArchive, Part } from './archives.ts'

export type Files = ReadonlyMap<string, Buffer>

export interface Folders {
  readonly root: string
  /** What the script of the archive made. */
  readonly built: string
}

/** What tools leave in folders. */
const LEFT = /(?:^|\/)(?:\.[^/]+|node_modules|[^/]+\.o)(?:\/|$)/

function* below(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) yield relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
}

/** The file that the script writes to the path of its argument. */
function madeBy(script: string): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), 'spm-'))
  try {
    const path = join(scratch, 'made')
    execFileSync(process.execPath, [script, path])
    return readFileSync(path)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function* filesOf({ root, built }: Folders, { from, to, only, isScript, isBuilt }: Part): Generator<readonly [string, Buffer]> {
  const path = join(isBuilt === true ? built : root, from)
  if (isScript === true) yield [to, madeBy(path)]
  else if (statSync(path).isFile()) yield [to, readFileSync(path)]
  else
    for (const name of below(path))
      if (!LEFT.test(name) && (only === undefined || only.test(name))) yield [`${to}/${name}`, readFileSync(join(path, name))]
}

/** Folders whose name ends so are none for the engine. */
const isHidden = (path: string): boolean => path.split('/').some((part) => part.endsWith('~'))

/** Files that name each file and folder for the engine. A name is made of the path, so that it stays the same in the next version. */
function metasOf(paths: readonly string[]): readonly (readonly [string, Buffer])[] {
  const folders = new Set(paths.map((path) => dirname(path)).filter((path) => path !== 'package'))
  for (const path of folders) if (dirname(path) !== 'package') folders.add(dirname(path))
  return [...paths, ...folders]
    .filter((path) => !isHidden(path))
    .map((path) => {
      const guid = createHash('md5').update(`sallyport/${path}`).digest('hex')
      const kind = folders.has(path) ? 'folderAsset: yes\n' : ''
      return [`${path}.meta`, Buffer.from(`fileFormatVersion: 2\nguid: ${guid}\n${kind}`)] as const
    })
}

/** Sorted by path. Throws when two parts hold the same path. */
export function collect(folders: Folders, { parts, hasMetas }: FileArchive): Files {
  const files = new Map<string, Buffer>()
  for (const [path, data] of parts.flatMap((part) => [...filesOf(folders, part)])) {
    if (files.has(path)) throw new Error(`two files have the path ${path}; give one of them another name`)
    files.set(path, data)
  }
  for (const [path, data] of hasMetas === true ? metasOf([...files.keys()]) : []) files.set(path, data)
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
