/** Files that the files of an archive name. One that is not there would fail at its user, so packing fails. */
import { dirname, join } from 'node:path/posix'
import type { Files } from './files.ts'

interface Rule {
  /** Files that name others. */
  readonly inFiles: RegExp
  /** The first group is the name. */
  readonly name: RegExp
  /** From the file to what it names. */
  readonly pathOf: (file: string, name: string) => string
}

const RULES: readonly Rule[] = [
  // Links of a page; those to the web and to a heading of the same page are left out.
  { inFiles: /\.md$/, name: /\]\((?![a-z]+:|#)([^)#\s]+)/g, pathOf: (file, name) => join(dirname(file), name) },
  { inFiles: /\.gdextension$/, name: /"res:\/\/([^"]+)"/g, pathOf: (_file, name) => name },
  { inFiles: /\/plugin\.cfg$/, name: /^script="([^"]+)"/gm, pathOf: (file, name) => join(dirname(file), name) },
]

/** A page without its blocks of code, in which a lambda of C++ looks like a link. */
const textOf = (file: string, data: Buffer): string =>
  file.endsWith('.md') ? data.toString().replaceAll(/^```[^]*?^```/gm, '') : data.toString()

/** One sentence for each file that is named and missing. `needs` are names that no file of the archive spells. */
export function missingFrom(files: Files, needs: readonly string[] = []): readonly string[] {
  const isThere = (path: string): boolean => files.has(path) || [...files.keys()].some((one) => one.startsWith(`${path}/`))
  const named = [...files].flatMap(([file, data]) =>
    RULES.filter(({ inFiles }) => inFiles.test(file)).flatMap(({ name, pathOf }) =>
      [...textOf(file, data).matchAll(name)].map(([, found = '']) => ({ file, path: pathOf(file, found) })),
    ),
  )
  return [
    ...named.filter(({ path }) => !isThere(path)).map(({ file, path }) => `${file} names ${path}, which is missing`),
    ...needs.filter((path) => !isThere(path)).map((path) => `${path} is missing`),
  ]
}
