/**
 * Every npm package that runs with the daemon or with a game that uses the binding, on all five targets. The lockfile pins each to an exact
 * version with a hash, none has an install script, and each was reviewed. The reviews are in `runtime-tree.reviewed.json`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { type Lock, type LockEntry, lock, runsOn, type System, walk } from './lockfile.ts'
import { filesOf, importsOf, isCode, ROOT } from './source-tree.ts'

/** What a package or an executable of ours carries. `daemon` is the npm package, which brings the Node binaries; `daemon/src` is bundled. */
const SHIPPED = ['protocol', 'bindings/ts', 'daemon', 'daemon/src']

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/

const OS = { linux: 'linux', win: 'win32', macos: 'darwin' } as const
const SYSTEMS = TARGETS.map(({ name, platform, arch }): System & { readonly name: string } => ({
  name,
  os: OS[platform],
  cpu: arch,
  ...(platform === 'linux' && { libc: 'glibc' }),
}))

/** One line of the review, as the lockfile has it. */
interface Found {
  readonly version: string | undefined
  readonly by: readonly string[]
  readonly on: readonly string[]
  readonly native: boolean
}

interface Reviewed {
  readonly packages: Readonly<Record<string, Found & { readonly why: string }>>
  readonly absent: Readonly<Record<string, { readonly by: readonly string[]; readonly why: string }>>
}

interface Tree {
  readonly packages: Record<string, Found>
  readonly absent: Record<string, { readonly by: readonly string[] }>
}

/** The walks of all targets, put together by package. */
function treeOf(of: Lock): Tree {
  const tree: Tree = { packages: {}, absent: {} }
  for (const system of SYSTEMS) {
    const { packages, absent } = walk(of, SHIPPED, system)
    for (const [path, by] of packages) {
      const { version, os, cpu } = of.packages[path] ?? {}
      const before = tree.packages[path]
      tree.packages[path] = {
        version,
        by: [...new Set([...(before?.by ?? []), ...by])].sort(),
        on: [...(before?.on ?? []), system.name],
        native: os !== undefined || cpu !== undefined,
      }
    }
    for (const [name, by] of absent) tree.absent[name] = { by: [...by].sort() }
  }
  return tree
}

const reviewed = JSON.parse(readFileSync(join(import.meta.dirname, 'runtime-tree.reviewed.json'), 'utf8')) as Reviewed
const tree = treeOf(lock)
const entryOf = (path: string): LockEntry => lock.packages[path] ?? {}
const paths = Object.keys(tree.packages).sort()

const ADVICE =
  'Read its code and its changes, judge why we need it, then write this into test/architecture/runtime-tree.reviewed.json with a "why"'

/** What the review does not cover, in sentences. */
function unreviewed(found: Tree, review: Reviewed): readonly string[] {
  const sentences: string[] = []
  for (const [path, is] of Object.entries(found.packages)) {
    const { why = '', ...was } = review.packages[path] ?? {}
    if (why === '' || JSON.stringify(is) !== JSON.stringify(was))
      sentences.push(`${path} is not as it was reviewed. ${ADVICE}: ${JSON.stringify(is)}`)
  }
  for (const path of Object.keys(review.packages)) {
    if (found.packages[path] === undefined) sentences.push(`${path} is gone; take it out of runtime-tree.reviewed.json`)
  }
  for (const [name, { by }] of Object.entries(found.absent)) {
    const { why = '', ...was } = review.absent[name] ?? {}
    if (why === '' || JSON.stringify({ by }) !== JSON.stringify(was)) {
      sentences.push(`${name} is loaded by ${by.join(', ')} where it is there, and is not installed. Say why it stays away, under "absent"`)
    }
  }
  for (const name of Object.keys(review.absent)) {
    if (found.absent[name] === undefined) sentences.push(`${name} was to stay away, and is installed or no longer asked for`)
  }
  return sentences
}

describe('the runtime tree of all five targets', () => {
  it('is walked on every target, with the Node and the keychain library of each', () => {
    expect(SYSTEMS).toHaveLength(5)
    for (const { name, nodePackage, keyring } of TARGETS) {
      const here = paths.filter((path) => tree.packages[path]?.on.includes(name) === true)
      expect(here).toContain(`node_modules/${nodePackage}`)
      expect(here).toContain(`node_modules/@napi-rs/keyring-${keyring}`)
      expect(here).toContain('node_modules/node-ipc')
    }
  })

  it('is exact', () => {
    expect(paths.filter((path) => !EXACT.test(entryOf(path).version ?? ''))).toEqual([])
  })

  it('is proven by SHA-512', () => {
    expect(paths.filter((path) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(entryOf(path).integrity ?? ''))).toEqual([])
  })

  it('runs nothing when it is installed', () => {
    expect(paths.filter((path) => entryOf(path).hasInstallScript === true)).toEqual([])
  })

  it('is the tree that was reviewed', () => {
    expect(unreviewed(tree, reviewed)).toEqual([])
  })

  it('holds native code for the keychain and Node itself, and no other', () => {
    const native = paths.filter((path) => tree.packages[path]?.native === true)
    expect(native).toHaveLength(2 * TARGETS.length)
    expect(native.filter((path) => !/^node_modules\/(?:@napi-rs\/keyring-|node-(?:bin-)?(?:linux|win|darwin)-)/.test(path))).toEqual([])
  })
})

describe('native code that packages would load by themselves', () => {
  const AWAY = ['msgpackr-extract', 'bufferutil', 'utf-8-validate']

  it.each(AWAY)('%s is never installed, on no target', (name) => {
    expect(Object.keys(lock.packages).filter((path) => path.endsWith(`/${name}`) || path.includes(`/@${name}/`))).toEqual([])
    expect(reviewed.absent[name]?.why).toBeTruthy()
  })

  it('of msgpackr is not even looked for: every file takes the entry without it', () => {
    const looking = filesOf(isCode)
      .flatMap(importsOf)
      .filter(({ specifier, kind }) => kind !== 'type' && specifier.startsWith('msgpackr') && specifier !== 'msgpackr/pack')
    expect(looking).toEqual([])
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'node_modules/msgpackr/package.json'), 'utf8')) as {
      exports: Record<string, { node: { import: string } }>
    }
    expect(exports['./pack']?.node.import).toBe('./index.js')
    const entry = { path: 'node_modules/msgpackr/index.js', text: readFileSync(join(ROOT, 'node_modules/msgpackr/index.js'), 'utf8') }
    const parts = [...new Set(importsOf(entry).map(({ target }) => target ?? ''))].sort()
    expect(parts).toEqual(['iterators', 'pack', 'unpack'].map((part) => `node_modules/msgpackr/${part}.js`))
    for (const part of parts) expect(readFileSync(join(ROOT, part), 'utf8')).not.toMatch(/msgpackr-extract|createRequire|\brequire\(/)
  })
})

describe('native code planted where msgpackr would look for it', () => {
  let home: string
  const ran = (specifier: string): boolean => {
    const program = `import { Packr } from '${specifier}'; process.exitCode = globalThis.planted === true ? 1 : new Packr().pack(1)[0] - 1`
    return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: home }).status !== 0
  }

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'planted-'))
    cpSync(join(ROOT, 'node_modules/msgpackr'), join(home, 'node_modules/msgpackr'), { recursive: true })
    mkdirSync(join(home, 'node_modules/msgpackr-extract'))
    writeFileSync(join(home, 'node_modules/msgpackr-extract/index.js'), 'globalThis.planted = true; exports.extractStrings = () => []')
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it('runs with the entry that we do not take, and does not run with ours', () => {
    expect({ theirs: ran('msgpackr'), ours: ran('msgpackr/pack') }).toEqual({ theirs: true, ours: false })
  })
})

describe('the check itself', () => {
  const added = (path: string, entry: LockEntry): Lock => ({
    packages: {
      ...lock.packages,
      daemon: { ...entryOf('daemon'), dependencies: { ...entryOf('daemon').dependencies, left: '1.0.0' } },
      [path]: entry,
    },
  })

  it('reports an added package, and the remedy', () => {
    const [sentence, ...more] = unreviewed(treeOf(added('node_modules/left', { version: '1.0.0' })), reviewed)
    expect(more).toEqual([])
    expect(sentence).toMatch(
      /^node_modules\/left is not as it was reviewed\. Read its code .* write this into .*"by":\["workspace daemon"\]/,
    )
  })

  it('sees a version that moved', () => {
    const moved: Lock = { packages: { ...lock.packages, 'node_modules/ws': { ...entryOf('node_modules/ws'), version: '8.23.1' } } }
    expect(unreviewed(treeOf(moved), reviewed)).toEqual([expect.stringMatching(/^node_modules\/ws is not as it was reviewed/)])
  })

  it('sees a native speed-up that came back', () => {
    const back: Lock = { packages: { ...lock.packages, 'node_modules/bufferutil': { version: '4.0.9', hasInstallScript: true } } }
    const sentences = unreviewed(treeOf(back), reviewed)
    expect(sentences).toContainEqual(expect.stringMatching(/^node_modules\/bufferutil is not as it was reviewed/))
    expect(sentences).toContain('bufferutil was to stay away, and is installed or no longer asked for')
  })

  it('does not take one system for another', () => {
    const linux = SYSTEMS.find(({ name }) => name === 'linux-x64') ?? { os: '', cpu: '' }
    expect(runsOn({ os: ['linux'], cpu: ['x64'], libc: ['glibc'] }, linux)).toBe(true)
    expect(runsOn({ os: ['linux'], cpu: ['x64'], libc: ['musl'] }, linux)).toBe(false)
    expect(runsOn({ os: 'win32', cpu: 'x64' }, linux)).toBe(false)
    expect(runsOn({ os: ['!win32'] }, linux)).toBe(true)
  })

  it('refuses a lockfile that lacks a part', () => {
    const packages = Object.fromEntries(Object.entries(lock.packages).filter(([path]) => path !== 'node_modules/ws'))
    expect(() => treeOf({ packages })).toThrow('package-lock.json holds no ws, which workspace daemon/sandbox needs')
  })
})
