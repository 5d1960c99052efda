/** Every dependency is one exact version, the lockfile proves what each is, and no install script runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOf, ROOT } from './source-tree.ts'

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string
        readonly integrity?: string
        readonly link?: boolean
        readonly optional?: boolean
        readonly os?: readonly string[]
        readonly libc?: readonly string[]
        readonly cpu?: readonly string[]
        readonly optionalDependencies?: Readonly<Record<string, string>>
      }
    >
  >
}

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/
const manifests = filesOf((path) => /(?:^|\/)package\.json$/.test(path)).map(({ path, text }) => ({
  path,
  manifest: JSON.parse(text) as Manifest,
}))
const lockText = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
const lock = JSON.parse(lockText) as Lock

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

  it('lock every package by integrity and name no host', () => {
    // Binaries of tools for systems other than the one that wrote the lock may stand there by version alone.
    const isForOther = ({ optional, os, cpu, libc }: Lock['packages'][string]) =>
      optional === true && (os?.includes('linux') !== true || cpu?.includes('x64') !== true || libc?.includes('musl') === true)
    const unproven = Object.entries(lock.packages).filter(
      ([path, entry]) =>
        path.includes('node_modules/') && entry.link !== true && entry.integrity?.startsWith('sha512-') !== true && !isForOther(entry),
    )
    expect(unproven.map(([path]) => path)).toEqual([])
    expect([...lockText.matchAll(/"resolved": "([a-z+]+:[^"]*)"/g)].map((match) => match[1])).toEqual([])
  })

  it('name the optional packages of every system, without which `npm ci` refuses the lock', () => {
    const missing = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
      Object.entries(optionalDependencies)
        // One that stands in a source repository, not in the registry, is simply left out.
        .filter(([name, wanted]) => /^[~^]?\d/.test(wanted) && lock.packages[`node_modules/${name}`] === undefined)
        .map(([name]) => name),
    )
    expect(missing).toEqual([])
  })

  it('are what the lock holds', () => {
    const wrong = manifests.flatMap(({ path, manifest }) =>
      Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }).filter(
        ([name, version]) => {
          const workspace = path.replace(/\/?package\.json$/, '')
          const entry = lock.packages[`${workspace}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`]
          return entry?.link !== true && entry?.version !== version
        },
      ),
    )
    expect(wrong).toEqual([])
  })

  it('are installed without running their scripts', () => {
    const settings = readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')
    expect(settings).toContain('ignore-scripts=true')
    expect(settings).toContain('save-exact=true')
    expect(settings.filter((line) => /registry|_auth|token/i.test(line))).toEqual([])
  })
})
