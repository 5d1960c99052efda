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
})

describe('modules', () => {
  it('have a descriptive name', () => {
    expect(files.map(({ path }) => path).filter((path) => /(?:^|[/-])(?:utils?|helpers?|misc|common)\.[cm]?[tj]s$/.test(path))).toEqual([])
    expect(files.map(({ path }) => path).filter((path) => /[A-Z_]/.test(path.split('/').at(-1) ?? ''))).toEqual([])
  })

  it('hold no state of their own', () => {
    const stateful = files.filter(({ text }) => /^(?:export\s+)?(?:let|var)\s/m.test(codeOnly(text)))
    expect(stateful.map(({ path }) => path)).toEqual([])
  })

  it('swallow no failure without saying why', () => {
    const silent = files.filter(({ text }) => /catch\s*(?:\([^)]*\))?\s*\{\s*\}/.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
  })
})
