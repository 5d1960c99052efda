/** Facts about the files of a package that its control files state. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PayloadFile } from './payload.ts'

const KIB = 1024

const contentOf = async (file: PayloadFile): Promise<Buffer> =>
  'link' in file ? Buffer.alloc(0) : 'from' in file ? readFile(file.from) : Buffer.from(file.text)

/** Every folder above a path. */
const foldersOf = (path: string): readonly string[] => {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

export interface PayloadFacts {
  /** Of the installed package: each file in whole units, and one unit for each link and folder. */
  readonly kibibytes: number
  /** Lines of `md5sum`, without links. */
  readonly md5sums: string
}

export async function payloadFacts(files: readonly PayloadFile[]): Promise<PayloadFacts> {
  let kibibytes = new Set(files.flatMap(({ path }) => foldersOf(path))).size
  const lines: string[] = []
  // One after the other: the program has a hundred megabytes.
  for (const file of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const content = await contentOf(file)
    kibibytes += Math.max(1, Math.ceil(content.length / KIB))
    if (!('link' in file)) lines.push(`${createHash('md5').update(content).digest('hex')}  ${file.path}\n`)
  }
  return { kibibytes, md5sums: lines.join('') }
}
