/** Compares generated files with those on the disk, and writes them. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** Texts by path, relative to the directory they belong to, with forward slashes. */
export type Generated = Readonly<Record<string, string>>

/** Generated files and their directory. `isComplete`: the directory contains no other files. */
export interface GeneratedPart {
  readonly directory: string
  readonly files: Generated
  readonly isComplete: boolean
}

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

const filesIn = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const expectedOf = ({ directory, files }: GeneratedPart): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([path, text]) => [join(directory, path), text]))

/** Returns paths that are missing, differ, or do not belong there. */
export async function differences(part: GeneratedPart): Promise<string[]> {
  const expected = expectedOf(part)
  const paths = new Set([...expected.keys(), ...(part.isComplete ? await filesIn(part.directory) : [])])
  const compared = await Promise.all([...paths].map(async (path) => ((await textOf(path)) === expected.get(path) ? [] : [path])))
  return compared.flat().toSorted()
}

/** Writes the generated files and deletes the files that do not belong there; returns the changed paths. */
export async function write(part: GeneratedPart): Promise<string[]> {
  const changed = await differences(part)
  const expected = expectedOf(part)
  for (const path of changed) {
    const text = expected.get(path)
    if (text === undefined) await rm(path)
    else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
  }
  return changed
}

/** Writes the parts; with `--check` in the arguments, it only compares, and fails the process if a file differs. */
export async function runCodegen(parts: readonly GeneratedPart[], args: readonly string[]): Promise<void> {
  const isCheck = args.includes('--check')
  const changed = (await Promise.all(parts.map(isCheck ? differences : write))).flat()
  for (const path of changed) process.stderr.write(`${isCheck ? 'differs' : 'wrote'}: ${relative(process.cwd(), path)}\n`)
  if (isCheck && changed.length > 0) {
    process.stderr.write('Run `npm run codegen` and commit the changes.\n')
    process.exitCode = 1
  }
}
