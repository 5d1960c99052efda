/** Checks every import of the shipped code: the order of the rooms, the places of packages, and a few rules about modules. */
import { describe, expect, it } from 'vitest'
import { codeOnly, filesOf, type Import, importsOf, isCode, isShipped, packageOf, withoutComments } from './source-tree.ts'
import { BUILTIN_HOMES, type Home, PACKAGE_HOMES, PURE_PARTS, ROOMS, TOOLS } from './rooms.ts'

const files = filesOf((path) => isCode(path) && isShipped(path))
const imports = files.flatMap(importsOf)

const within = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
const WORKSPACES = {
  '@sallyport/protocol': 'protocol/src',
  '@sallyport/client': 'bindings/ts/src',
  '@sallyport/core': 'daemon/core/src',
  '@sallyport/sandbox': 'daemon/sandbox/src',
}
/** -1 for what is in no room, as the tools are. */
const orderOf = (path: string): number =>
  TOOLS.some((tool) => within(path, tool.path)) ? -1 : ROOMS.findIndex((room) => within(path, room.path))

/** The file or folder of ours that an import names; undefined for anything else. */
const placeOf = ({ specifier, target }: Import): string | undefined => target ?? WORKSPACES[packageOf(specifier) as keyof typeof WORKSPACES]

function breach(found: Import): string | undefined {
  const { from, specifier } = found
  const place = placeOf(found)
  const line = `${from} → ${place ?? specifier}`
  if (specifier.startsWith('node:')) {
    const allowed = PURE_PARTS.some((part) => within(from, part)) ? [] : ROOMS[orderOf(from)]?.builtins
    return allowed === undefined || allowed.includes(specifier) ? undefined : `${line}: it is pure`
  }
  if (place === undefined) return specifier.startsWith('@sallyport/') ? `${line}: no such workspace` : undefined
  const tool = TOOLS.find(({ path }) => within(from, path))
  if (tool !== undefined) return [tool.path, ...tool.may].some((may) => within(place, may)) ? undefined : `${line}: not for ${tool.path}`
  if (orderOf(from) === -1) return `${from} is in no room of the table`
  return orderOf(place) !== -1 && orderOf(place) <= orderOf(from) ? undefined : `${line}: a room imports from itself and those below`
}

const strays = (homes: readonly Home[], nameOf: (specifier: string) => string): readonly string[] =>
  homes.flatMap(({ name, homes: places, typesAnywhere, because }) =>
    imports
      .filter(({ specifier, kind }) => nameOf(specifier) === name && !(kind === 'type' && typesAnywhere === true))
      .filter(({ from }) => !places.some((place) => within(from, place)))
      .map(({ from }) => `${from} → ${name}: ${because}`),
  )

/** The cycles through relative imports, each listed once, from its first file. */
function cycles(): readonly string[] {
  const next = Map.groupBy(
    imports.filter(({ target }) => target !== undefined),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at !== -1) {
      found.push([...trail.slice(at), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const { target } of next.get(path) ?? []) visit(target ?? '', [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return found
}

describe('imports', () => {
  it('are found: the scan sees the tree it is meant to guard', () => {
    expect(files.length).toBeGreaterThan(40)
    expect(imports.length).toBeGreaterThan(100)
  })

  it('run one way through the rooms', () => {
    expect(imports.map(breach).filter((line) => line !== undefined)).toEqual([])
  })

  it('name third-party packages only in their homes', () => {
    expect(strays(PACKAGE_HOMES, packageOf)).toEqual([])
    const known = new Set(PACKAGE_HOMES.map(({ name }) => name))
    const homeless = imports.filter(({ specifier }) => !/^(?:\.|node:|@sallyport\/)/.test(specifier) && !known.has(packageOf(specifier)))
    expect(homeless.map(({ from, specifier }) => `${from} → ${specifier}`)).toEqual([])
  })

  it('name powerful builtins only in their homes, and every builtin as node:', () => {
    expect(strays(BUILTIN_HOMES, (specifier) => specifier)).toEqual([])
  })

  it('name files with their ending, and never reach into a package by path', () => {
    const endless = imports.filter(({ target, specifier }) => target !== undefined && !/\.(?:[cm]?ts|[cm]?js|json)$/.test(specifier))
    expect(endless.map(({ from, specifier }) => `${from} → ${specifier}`)).toEqual([])
    expect(imports.filter(({ specifier }) => specifier.includes('node_modules')).map(({ from }) => from)).toEqual([])
  })

  it('climb at most two folders in tests, which have aliases for the rest', () => {
    const far = filesOf((path) => isCode(path) && path.startsWith('test/')).flatMap(importsOf)
    expect(far.length).toBeGreaterThan(1_000)
    expect(far.filter(({ specifier }) => specifier.startsWith('../../../')).map(({ from, specifier }) => `${from} → ${specifier}`)).toEqual(
      [],
    )
  })

  it('are literal, so that the packaged file holds all of them', () => {
    // The launcher starts any program it is given, so it is not part of that file.
    const packaged = files.filter(({ path }) => path !== 'daemon/bin/right-node.mjs')
    const computed = packaged.filter(({ text }) => /\bimport\(\s*[^'"\s)]/.test(withoutComments(text)))
    expect(computed.map(({ path }) => path)).toEqual([])
  })

  it('make no cycle', () => {
    expect(cycles()).toEqual([])
  })
})

describe('modules', () => {
  it('have a descriptive name', () => {
    expect(files.map(({ path }) => path).filter((path) => /(?:^|[/-])(?:utils?|helpers?|misc|common)\.[cm]?[tj]s$/.test(path))).toEqual([])
    expect(files.map(({ path }) => path).filter((path) => /[A-Z_]/.test(path.split('/').at(-1) ?? ''))).toEqual([])
  })

  it('export by name', () => {
    // A declaration file describes a package as it is.
    const defaults = files.filter(
      ({ path, text }) => !path.endsWith('.d.ts') && /^export\s+default\b|\bas\s+default\b/m.test(codeOnly(text)),
    )
    expect(defaults.map(({ path }) => path)).toEqual([])
  })

  it('hold no state of their own', () => {
    const stateful = files.filter(({ text }) => /^(?:export\s+)?(?:let|var)\s/m.test(codeOnly(text)))
    expect(stateful.map(({ path }) => path)).toEqual([])
  })

  it('swallow no failure without saying why', () => {
    const silent = files.filter(({ text }) => /catch\s*(?:\([^)]*\))?\s*\{\s*\}/.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('are free of enums, namespaces and any', () => {
    const loose = files.filter(
      ({ path, text }) =>
        /\.[cm]?ts$/.test(path) &&
        !path.endsWith('.d.ts') &&
        /^\s*(?:export\s+)?(?:const\s+)?enum\s|^\s*(?:export\s+)?namespace\s|:\s*any\b|\bas\s+any\b/m.test(codeOnly(text)),
    )
    expect(loose.map(({ path }) => path)).toEqual([])
  })
})

describe('the scan itself', () => {
  const scan = (text: string): readonly string[] =>
    importsOf({ path: 'daemon/src/ipc/connection/x.ts', text }).map(({ kind, specifier }) => `${kind} ${specifier}`)

  it('sees every form of import, over several lines too', () => {
    const text = [
      "import { a } from './a.ts'",
      "import type { B } from '../b.ts'",
      'import {',
      '  c,',
      "} from 'c/deep'",
      "import './side.ts'",
      "export * from './d.ts'",
      "const e = await import('./e.ts')",
      "const f = require('f')",
    ].join('\n')
    expect([...scan(text)].sort()).toEqual(
      ['dynamic ./e.ts', 'require f', 'static ./a.ts', 'static ./d.ts', 'static ./side.ts', 'static c/deep', 'type ../b.ts'].sort(),
    )
  })

  it('ignores commented-out imports', () => {
    expect(
      scan("// import { a } from './a.ts'\n/* import './b.ts'\nimport './c.ts' */\nconst url = 'http://x' // import('./d.ts')"),
    ).toEqual([])
  })

  it('refuses a connection that knows HTTP, and a framing that opens sockets', () => {
    expect(
      breach({
        from: 'daemon/src/ipc/connection/x.ts',
        specifier: '../../platform/api/http.ts',
        target: 'daemon/src/platform/api/http.ts',
        kind: 'static',
      }),
    ).toBeDefined()
    expect(breach({ from: 'daemon/src/ipc/framing/x.ts', specifier: 'node:net', target: undefined, kind: 'static' })).toBeDefined()
    expect(breach({ from: 'protocol/src/x.ts', specifier: '@sallyport/client', target: undefined, kind: 'static' })).toBeDefined()
  })

  it('refuses a daemon that imports the script of its page, and a page that imports Node', () => {
    const page = 'daemon/src/operator/dashboard/page/main.ts'
    expect(
      breach({ from: 'daemon/src/operator/dashboard/server.ts', specifier: './page/main.ts', target: page, kind: 'static' }),
    ).toBeDefined()
    expect(breach({ from: page, specifier: 'node:http', target: undefined, kind: 'static' })).toBeDefined()
  })
})
