/** Checks that every dependency has one exact version and a hash in the lockfile, and that no install script runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lock, LOCKS } from './lockfile.ts'
import { filesOf, ROOT } from './source-tree.ts'

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/
const manifests = filesOf((path) => /(?:^|\/)package\.json$/.test(path)).map(({ path, text }) => ({
  path,
  manifest: JSON.parse(text) as Manifest,
}))

/**
 * Checkers for systems that none of us develops on. The registry that wrote the lockfile does not serve them, so it could name no integrity.
 * No daemon and no game loads them. Where a registry serves them, "npm run lock:integrity" adds what is missing; then they go from this list.
 */
const UNPROVEN_TOOLS: Readonly<Record<string, readonly string[]>> = {
  '@biomejs/cli-': [
    'android-arm64',
    'android-x64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64-musl',
    'linux-x64-musl',
    'win32-arm64',
    'win32-x64',
  ],
  '@oxlint-tsgolint/': ['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'],
  '@oxlint/binding-': [
    'android-arm-eabi',
    'android-arm64',
    'darwin-arm64',
    'darwin-x64',
    'freebsd-x64',
    'linux-arm-gnueabihf',
    'linux-arm-musleabihf',
    'linux-arm64-musl',
    'linux-ppc64-gnu',
    'linux-riscv64-gnu',
    'linux-riscv64-musl',
    'linux-s390x-gnu',
    'linux-x64-musl',
    'openharmony-arm64',
    'win32-arm64-msvc',
    'win32-ia32-msvc',
    'win32-x64-msvc',
  ],
}
const unprovenTools = Object.entries(UNPROVEN_TOOLS).flatMap(([tool, systems]) => systems.map((system) => `node_modules/${tool}${system}`))

/** A range that no version is in: npm leaves an optional package out for good. */
const NEVER = '<0.0.0-0'
/** By who asks for it, what never comes. */
const KEPT_OUT = { msgpackr: { 'msgpackr-extract': NEVER } }

describe('pins', () => {
  it('covers the root and every workspace', () => {
    const root = manifests.find(({ path }) => path === 'package.json')
    const workspaces = root?.manifest.workspaces ?? []
    expect(workspaces.length).toBeGreaterThan(0)
    expect(manifests.map(({ path }) => path)).toEqual(expect.arrayContaining(workspaces.map((workspace) => `${workspace}/package.json`)))
  })

  it.each(manifests.map(({ path, manifest }) => [path, manifest] as const))('%s asks for exact versions only', (_path, manifest) => {
    const ranges = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    }).filter(([, version]) => !EXACT.test(version))
    expect(ranges).toEqual([])
  })

  it.each(LOCKS)('lock every package by integrity and name no host: $folder', ({ folder, lock: { packages }, text }) => {
    const unproven = Object.entries(packages).filter(
      ([path, entry]) => path.includes('node_modules/') && entry.link !== true && entry.integrity?.startsWith('sha512-') !== true,
    )
    expect(unproven.map(([path]) => path).sort()).toEqual(folder === '' ? [...unprovenTools].sort() : [])
    expect(unproven.filter(([, { dev, optional }]) => dev !== true || optional !== true)).toEqual([])
    expect([...text.matchAll(/"resolved": "([a-z+]+:[^"]*)"/g)].map((match) => match[1])).toEqual([])
  })

  it.each(LOCKS)(
    'name the optional packages of every system, without which `npm ci` refuses the lock: $folder',
    ({ lock: { packages } }) => {
      const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
        Object.entries(optionalDependencies)
          // One that stands in a source repository, not in the registry, is simply left out; so is one that is kept out.
          .filter(([name, wanted]) => /^[~^]?\d/.test(wanted) && packages[`node_modules/${name}`] === undefined)
          .filter(([name]) => !Object.values(KEPT_OUT).some((names) => Object.hasOwn(names, name)))
          .map(([name]) => name),
      )
      expect(missing).toEqual([])
    },
  )

  it('exclude unused native add-ons, and change no other dependency of a package', () => {
    expect(
      manifests.filter(({ manifest }) => manifest.overrides !== undefined).map(({ path, manifest }) => [path, manifest.overrides]),
    ).toEqual([['package.json', KEPT_OUT]])
  })

  it('are what the lock holds', () => {
    const wrong = manifests.flatMap(({ path, manifest }) =>
      Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }).filter(
        ([name, version]) => {
          const workspace = path.replace(/\/?package\.json$/, '')
          const { packages } = LOCKS.find(({ folder }) => folder === workspace)?.lock ?? lock
          const entry = packages[`${workspace}/node_modules/${name}`] ?? packages[`node_modules/${name}`]
          return entry?.link !== true && entry?.version !== version
        },
      ),
    )
    expect(wrong).toEqual([])
  })

  it('hold in the public workflow too: what it uses of others is named by its full hash', () => {
    const workflows = filesOf((path) => path.startsWith('.github/workflows/'))
    expect(workflows.length).toBeGreaterThan(0)
    const used = workflows.flatMap(({ text }) => [...text.matchAll(/\buses:\s*(\S+)/g)].map((match) => match[1] ?? ''))
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  })

  it.each(LOCKS)('are installed without running their scripts: $folder', ({ folder }) => {
    const settings = readFileSync(join(ROOT, folder, '.npmrc'), 'utf8').split('\n')
    expect(settings).toContain('ignore-scripts=true')
    expect(settings).toContain('save-exact=true')
    expect(settings.filter((line) => /registry|_auth|token/i.test(line))).toEqual([])
  })
})
