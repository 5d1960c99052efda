/** Reads the tree for the architecture tests: the source files, their imports and their text. No compiler API. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** What tools make and is never committed. */
const UNCOMMITTED = ['node_modules', 'dist', '.cache', '.git']
/** What tools make; never written by hand. */
const MADE = new Set([...UNCOMMITTED, 'generated'])

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface Import {
  readonly from: string
  readonly specifier: string
  /** The imported file from the root, when the specifier is relative. */
  readonly target: string | undefined
  readonly kind: 'static' | 'type' | 'dynamic' | 'require'
}

function* walk(directory: string, without: ReadonlySet<string>): Generator<string> {
  for (const entry of readdirSync(join(ROOT, directory), { withFileTypes: true })) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`
    // In a linked worktree `.git` is a file.
    if (without.has(entry.name)) continue
    if (entry.isDirectory()) yield* walk(path, without)
    else if (entry.isFile()) yield path
  }
}

/** Every file below the root that is committed, generated ones included, sorted. */
export const committedPaths = (): readonly string[] => [...walk('', new Set(UNCOMMITTED))].sort()

/** Every hand-written file below the root whose path passes the filter, sorted. */
export const filesOf = (filter: (path: string) => boolean): readonly SourceFile[] =>
  [...walk('', MADE)]
    .filter(filter)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

export const isCode = (path: string): boolean => /\.(?:[cm]?tsx?|[cm]?js)$/.test(path)

/** Shipped code: what a user of the packages runs. */
export const isShipped = (path: string): boolean =>
  /^(?:protocol|daemon(?:\/core|\/sandbox)?|bindings\/[a-z]+)\/(?:src|bin|scripts|codegen|packaging|examples)\//.test(path)

const PARTS = /(['"`])(?:\\.|(?!\1)[^\\])*?\1|\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/[^\n]*/g
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** The text with comments blanked out, line breaks kept, so that a commented-out import is none. */
export const withoutComments = (text: string): string =>
  text.replace(PARTS, (part, quote: string | undefined) => (quote === undefined ? blank(part) : part))

/** The same with the insides of strings and templates blanked out too: what is left is code. */
export const codeOnly = (text: string): string => text.replace(PARTS, blank)

const FORMS = [
  { kind: 'static', pattern: /^(?:import|export)\s(?!type\s)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm },
  { kind: 'type', pattern: /^(?:import|export)\s+type\s[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm },
  { kind: 'static', pattern: /^import\s*['"]([^'"]+)['"]/gm },
  { kind: 'dynamic', pattern: /\bimport\(\s*['"]([^'"]+)['"]/g },
  { kind: 'require', pattern: /\b(?:require|require\.resolve|getBuiltinModule)\(\s*['"]([^'"]+)['"]/g },
] as const

/** Every module that a file names, in any form of import. */
export function importsOf(file: SourceFile): readonly Import[] {
  const text = withoutComments(file.text)
  return FORMS.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map((match) => {
      const specifier = match[1] ?? ''
      const target = specifier.startsWith('.')
        ? relative(ROOT, resolve(ROOT, dirname(file.path), specifier))
            .split(sep)
            .join('/')
        : undefined
      return { from: file.path, specifier, target, kind }
    }),
  )
}

/** `@scope/name/deep` and `name/deep` to the package's name. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
