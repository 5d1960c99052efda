/** All generated files as a map of path to text, and the comparison with what is on the disk. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { COVERAGE } from '../coverage/index.ts'
import { emitCoverage } from './emit/coverage.ts'
import { emitEventProviders } from './emit/event-providers.ts'
import { emitJson } from './emit/json.ts'
import { emitMarkdown } from './emit/markdown.ts'
import { buildModel } from './model.ts'

/** Paths relative to the directory they belong to, with forward slashes. */
export type Generated = Readonly<Record<string, string>>

export function generate(): Generated {
  const model = buildModel()
  const generated: Record<string, string> = { 'protocol.json': emitJson(model) }
  for (const [name, text] of Object.entries(emitMarkdown(model))) generated[`reference/${name}`] = text
  return generated
}

/** Files of `protocol/docs`. */
export const generateDocs = (): Generated => ({ 'coverage.md': emitCoverage(COVERAGE), 'event-providers.md': emitEventProviders() })

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

const filesIn = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Returns paths that are missing, differ, or do not belong there. */
export async function differences(generated: Generated, directory: string): Promise<string[]> {
  const expected = new Map(Object.entries(generated).map(([path, text]) => [join(directory, path), text]))
  const paths = new Set([...expected.keys(), ...(await filesIn(directory))])
  const compared = await Promise.all([...paths].map(async (path) => ((await textOf(path)) === expected.get(path) ? [] : [path])))
  return compared.flat().toSorted()
}

/** Writes the generated files and deletes all others in the directory; returns the changed paths. */
export async function write(generated: Generated, directory: string): Promise<string[]> {
  const changed = await differences(generated, directory)
  const expected = new Map(Object.entries(generated).map(([path, text]) => [join(directory, path), text]))
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
