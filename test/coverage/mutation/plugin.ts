/** A vite plugin for the mutation run: every named constant goes through `broken` when its module is loaded. */
import { join } from 'node:path'
import { parseSync, type Plugin } from 'vite'
import type { Target } from './break.ts'

const BREAK = join(import.meta.dirname, 'break.ts')

interface Initializer {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The constants at the top level of a module, with the place of their values. */
export function constantsIn(path: string, source: string): readonly Initializer[] {
  const { program } = parseSync(path, source)
  return program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init !== null ? [{ name: id.name, start: init.start, end: init.end }] : [],
    )
  })
}

/** Returns the module with its named constants passed through `broken`. */
function wrap(file: string, source: string, names: ReadonlySet<string>): string {
  let text = source
  for (const { name, start, end } of constantsIn(file, source).toReversed())
    if (names.has(name))
      text = `${text.slice(0, start)}broken(${JSON.stringify(file)}, ${JSON.stringify(name)}, (${text.slice(start, end)}))${text.slice(end)}`
  return `import { broken } from ${JSON.stringify(BREAK)}\n${text}`
}

export function mutationPlugin(root: string, targets: readonly Target[]): Plugin {
  const named = Map.groupBy(targets, ({ file }) => join(root, file))
  return {
    name: 'sallyport-mutation',
    enforce: 'pre',
    transform(source, id) {
      const [path = ''] = id.split('?')
      const here = named.get(path)
      const file = here?.[0]?.file
      return here === undefined || file === undefined ? undefined : wrap(file, source, new Set(here.map(({ name }) => name)))
    },
  }
}
