/** bindings/operations.md: each name is one of its client, each client has each operation, and what it lacks has a reason. */
import { describe, expect, test } from 'vitest'
import { filesOf } from './source-tree.ts'

const C = ['bindings/c/include/']
/** By column: what a game reads of the client, as beginnings of paths. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ['bindings/ts/src/api.ts', 'bindings/ts/src/client.ts', 'bindings/ts/src/errors.ts'],
  Python: ['aio', 'client', 'errors', '_subscriptions', '_states'].map((name) => `bindings/python/src/sallyport/${name}.py`),
  Lua: ['bindings/lua/sallyport.lua', 'bindings/lua/sallyport/client.lua', 'bindings/lua/sallyport/errors.lua', ...C],
  C,
  'C++': ['bindings/cpp/include/sallyport/client.hpp', ...C],
  'C#': ['bindings/csharp/src/'],
  Godot: ['bindings/engines/godot/doc_classes/'],
  Unity: ['bindings/engines/unity/Runtime/', 'bindings/csharp/src/'],
  Unreal: ['bindings/engines/unreal/Source/SallyportClient/Public/', ...C],
}
const PAGE = 'bindings/operations.md'
const SOURCE = /\.(?:ts|py|lua|h|hpp|cs|xml)$/

const files = filesOf((path) => path === PAGE || (path.startsWith('bindings/') && SOURCE.test(path)))
const page = files.find(({ path }) => path === PAGE)?.text ?? ''

/** Without what comments say: a name there is no member. In XML, only names. */
function codeOf({ path, text }: { readonly path: string; readonly text: string }): string {
  if (path.endsWith('.xml')) return [...text.matchAll(/name="(\w+)"/g)].map(([, name]) => name).join(' ')
  if (path.endsWith('.py')) return text.replaceAll(/"""[\s\S]*?"""|#.*/g, '')
  if (path.endsWith('.lua')) return text.replaceAll(/--.*/g, '')
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
}

const codeOfClient = (client: string): string =>
  files
    .filter(({ path }) => PUBLIC[client]?.some((beginning) => path.startsWith(beginning)))
    .map(codeOf)
    .join('\n')

interface Row {
  readonly label: string
  readonly cells: readonly string[]
}
interface Table {
  readonly title: string
  /** One or more clients each. */
  readonly columns: readonly (readonly string[])[]
  readonly rows: readonly Row[]
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const tables: readonly Table[] = page
  .split(/\n(?!\|)/)
  .filter((block) => block.includes('\n|--'))
  .map((block) => {
    const [head = '', , ...lines] = block.split('\n').filter((line) => line.startsWith('|'))
    const [title = '', ...columns] = cellsOf(head)
    return {
      title,
      columns: columns.map((column) => column.split(', ')),
      rows: lines.map(cellsOf).map(([label = '', ...cells]) => ({ label, cells })),
    }
  })
const ofClients = tables.filter(({ columns }) => columns.every((clients) => clients.every((client) => client in PUBLIC)))
const named = ofClients.filter(({ title }) => title === 'Operation')

test('every client has a column of twenty operations', () => {
  expect(named.flatMap(({ columns }) => columns.flat()).toSorted()).toEqual(Object.keys(PUBLIC).toSorted())
  for (const { rows } of named) expect(rows.map(({ label }) => label)).toEqual(named[0]?.rows.map(({ label }) => label))
  expect(named[0]?.rows).toHaveLength(20)
})

test('the tables of errors are about every client', () => {
  const errors = ofClients.filter(({ title }) => title !== 'Operation')
  expect(
    errors
      .filter(({ title }) => title.startsWith('How'))
      .flatMap(({ columns }) => columns.flat())
      .toSorted(),
  ).toEqual(Object.keys(PUBLIC).toSorted())
})

describe.each(Object.keys(PUBLIC))('%s', (client) => {
  const code = codeOfClient(client)
  const cells = ofClients.flatMap(({ columns, rows }) =>
    columns.flatMap((clients, column) =>
      clients.includes(client) ? rows.map(({ label, cells: of }) => ({ label, cell: of[column] ?? '' })) : [],
    ),
  )

  test('has each name', () => {
    const names = cells.flatMap(({ cell }) => [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => name.split('.')))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
  })

  test('has a name or a reason in each cell', () => {
    const empty = cells.filter(({ cell }) => !cell.includes('`'))
    expect(empty.filter(({ cell }) => cell !== '–')).toEqual([])
    expect(empty.filter(({ label }) => !page.includes(`- **${client}, ${label}:**`))).toEqual([])
  })
})

test('each reason is of a cell that is empty', () => {
  const reasons = [...page.matchAll(/^- \*\*(\S+), (.+?):\*\*/gm)].map(([, client, label]) => `${client}, ${label}`)
  const empty = named.flatMap(({ columns, rows }) =>
    rows.flatMap(({ label, cells }) => cells.flatMap((cell, column) => (cell === '–' ? [`${columns[column]?.[0]}, ${label}`] : []))),
  )
  expect(reasons.toSorted()).toEqual(empty.toSorted())
})

describe('the first program of a client', () => {
  /** Pages, and the language of their programs. */
  const PAGES: Readonly<Record<string, readonly [string, string]>> = {
    TypeScript: ['bindings/ts', 'ts'],
    Python: ['bindings/python', 'python'],
    Lua: ['bindings/lua', 'lua'],
    C: ['bindings/c', 'c'],
    'C++': ['bindings/cpp', 'cpp'],
    'C#': ['bindings/csharp', 'csharp'],
    Godot: ['bindings/engines/godot', 'gdscript'],
    Unity: ['bindings/engines/unity', 'csharp'],
    Unreal: ['bindings/engines/unreal', 'cpp'],
  }
  /** What such a program does. Errors and the way without a connection are beside them. */
  const STEPS = [
    'search and connect',
    'follow the connection',
    'sign in, asking only if it must',
    'set the presence',
    'get an event',
    'close',
  ]
  const index = filesOf((path) => path === 'bindings/README.md')[0]?.text ?? ''

  test('is there for each', () => {
    expect(Object.keys(PAGES).toSorted()).toEqual(Object.keys(PUBLIC).toSorted())
  })

  test.each(Object.entries(PAGES))('takes each step: %s', (client, [folder, language]) => {
    const readme = filesOf((path) => path === `${folder}/README.md`)[0]?.text ?? ''
    expect(index).toContain(`](${folder.slice('bindings/'.length)}/README.md)`)
    const programs = [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
      .map(([, text = '']) => text)
      .join('\n')
    expect(programs).not.toBe('')
    const missing = named.flatMap(({ columns, rows }) =>
      columns.flatMap((clients, column) =>
        clients.includes(client)
          ? rows.filter(({ label, cells }) => {
              const names = [...(cells[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.split('.').at(-1))
              return STEPS.includes(label) && names.length > 0 && !names.some((name) => new RegExp(`\\b${name}\\b`).test(programs))
            })
          : [],
      ),
    )
    expect(missing.map(({ label }) => label)).toEqual([])
  })
})
