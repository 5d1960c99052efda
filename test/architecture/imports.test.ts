/** Holds every import of the shipped code against the zones, the homes of packages, and a few rules about modules themselves. */
import { describe, expect, it } from 'vitest'
import { codeOnly, filesOf, type Import, importsOf, isCode, isShipped, packageOf, withoutComments } from './source-tree.ts'
import { BUILTIN_HOMES, type Home, PACKAGE_HOMES, type Zone, ZONES } from './zones.ts'

const files = filesOf((path) => isCode(path) && isShipped(path))
const imports = files.flatMap(importsOf)

const within = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
const zoneOf = (path: string): Zone | undefined =>
  ZONES.filter((zone) => within(path, zone.path)).sort((a, b) => b.path.length - a.path.length)[0]

function breach({ from, specifier, target, kind }: Import): string | undefined {
  const zone = zoneOf(from)
  if (zone === undefined) return `${from} is in no zone of the table`
  if (specifier.startsWith('node:')) {
    return zone.builtins === undefined || zone.builtins.includes(specifier) ? undefined : `${from} → ${specifier}: ${zone.path} is pure`
  }
  if (target === undefined && !specifier.startsWith('@sallyport/')) return undefined
  const may = [zone.path, ...zone.may, ...(kind === 'type' ? (zone.types ?? []) : [])]
  const allowed = may.some((place) => within(target ?? specifier, place))
  return allowed ? undefined : `${from} → ${target ?? specifier}: not in the table for ${zone.path}`
}

const strays = (homes: readonly Home[], nameOf: (specifier: string) => string): readonly string[] =>
  homes.flatMap(({ name, homes: places, typesAnywhere, because }) =>
    imports
      .filter(({ specifier, kind }) => nameOf(specifier) === name && !(kind === 'type' && typesAnywhere === true))
      .filter(({ from }) => !places.some((place) => within(from, place)))
      .map(({ from }) => `${from} → ${name}: ${because}`),
  )

/** The cycles through relative imports, each told once, from its first file. */
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

  it('keep to their zones', () => {
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

  it('are literal, so that the packaged file holds all of them', () => {
    // The launcher starts whatever program it is given; it is not part of that file.
    const packaged = files.filter(({ path }) => path !== 'daemon/bin/right-node.mjs')
    const computed = packaged.filter(({ text }) => /\bimport\(\s*[^'"\s)]/.test(withoutComments(text)))
    expect(computed.map(({ path }) => path)).toEqual([])
  })

  it('make no cycle', () => {
    expect(cycles()).toEqual([])
  })
})

describe('modules', () => {
  it('have a name that says their job', () => {
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
    importsOf({ path: 'daemon/src/session/x.ts', text }).map(({ kind, specifier }) => `${kind} ${specifier}`)

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

  it('does not see what is commented out', () => {
    expect(
      scan("// import { a } from './a.ts'\n/* import './b.ts'\nimport './c.ts' */\nconst url = 'http://x' // import('./d.ts')"),
    ).toEqual([])
  })

  it('refuses a session that knows HTTP, and a framing that opens sockets', () => {
    expect(
      breach({ from: 'daemon/src/session/x.ts', specifier: '../upstream/http.ts', target: 'daemon/src/upstream/http.ts', kind: 'static' }),
    ).toBeDefined()
    expect(breach({ from: 'daemon/src/framing/x.ts', specifier: 'node:net', target: undefined, kind: 'static' })).toBeDefined()
    expect(breach({ from: 'protocol/src/x.ts', specifier: '@sallyport/client', target: undefined, kind: 'static' })).toBeDefined()
  })
})
