/**
 * A vite plugin for the mutation run: every named constant or function goes through `broken` when its module is loaded, and the module of an
 * edit has the other text.
 */
import { join } from 'node:path'
import { parseAst, type Vite } from 'vitest/node'
import type { Edit } from '../second/edit.ts'
import type { Target } from './break.ts'

const BREAK = join(import.meta.dirname, 'break.ts')

/** It is made of unbroken rows. */
const GENERATED = 'protocol/src/generated/parsers.ts'

interface Declared {
  readonly name: string
  /** Where the value of a constant stands; undefined: a function. */
  readonly value: { readonly start: number; readonly end: number } | undefined
}

/** The constants and functions at the top level of a module. */
export function declaredIn(source: string): readonly Declared[] {
  return parseAst(source, { lang: 'ts' }).body.flatMap((statement): readonly Declared[] => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type === 'FunctionDeclaration' && declaration.id !== null) return [{ name: declaration.id.name, value: undefined }]
    if (declaration?.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init !== null ? [{ name: id.name, value: { start: init.start, end: init.end } }] : [],
    )
  })
}

/** Returns the module with its named constants and functions passed through `broken`. */
function wrap(file: string, source: string, names: ReadonlySet<string>): string {
  let head = `import { broken } from ${JSON.stringify(BREAK)}\n`
  let text = source
  for (const { name, value } of declaredIn(source).toReversed()) {
    if (!names.has(name)) continue
    const place = `${JSON.stringify(file)}, ${JSON.stringify(name)}`
    if (value === undefined) head += `${name} = broken(${place}, ${name})\n`
    else text = `${text.slice(0, value.start)}broken(${place}, (${text.slice(value.start, value.end)}))${text.slice(value.end)}`
  }
  return head + text
}

/** The source after an edit, whose text occurs once. */
export const edited = (source: string, { from, to }: Pick<Edit, 'from' | 'to'>): string => source.replace(from, () => to)

/** `current`: the edit of this mutation; undefined while there is none. */
export function mutationPlugin(root: string, targets: readonly Target[], current: () => Edit | undefined): Vite.Plugin {
  const named = Map.groupBy(targets, ({ file }) => join(root, file))
  return {
    name: 'sallyport-mutation',
    enforce: 'pre',
    transform(source, id) {
      const [path = ''] = id.split('?')
      if (path === join(root, GENERATED)) return 'export const PARSERS = {}'
      const edit = current()
      const text = edit !== undefined && path === join(root, edit.file) ? edited(source, edit) : source
      const here = named.get(path)
      const file = here?.[0]?.file
      if (here !== undefined && file !== undefined) return wrap(file, text, new Set(here.map(({ name }) => name)))
      return text === source ? undefined : text
    },
  }
}
