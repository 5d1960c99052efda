/** The manifests of the packages that a release publishes, held against their list; nothing else can be published. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { PUBLISHED } from '#daemon/packaging/npm/published.ts'
import { ROOT } from './source-tree.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license?: string
  readonly private?: boolean
  readonly workspaces?: readonly string[]
  readonly files?: readonly string[]
  readonly publishConfig?: object
  readonly engines?: object
  readonly scripts?: object
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: object
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
const root = manifestIn('.')
const workspaces = (root.workspaces ?? []).map((home) => ({ home, manifest: manifestIn(home) }))
const published = PUBLISHED.map((row) => ({ ...row, manifest: manifestIn(row.home) }))
const isOurs = (name: string): boolean => name === 'sallyport' || name.startsWith('@sallyport/')

describe('published packages', () => {
  it('are those of the list; all others are private', () => {
    expect(root.private).toBe(true)
    const open = workspaces.filter(({ manifest }) => manifest.private !== true)
    expect(open.map(({ home, manifest }) => `${manifest.name} in ${home}`).toSorted()).toEqual(
      PUBLISHED.map(({ home, name }) => `${name} in ${home}`).toSorted(),
    )
  })

  it.each(published)('$name says what npm shows, and runs nothing when it is installed', ({ manifest }) => {
    expect(manifest).toMatchObject({
      version: root.version,
      license: 'MIT',
      engines: { node: '>=20' },
      publishConfig: { access: 'public' },
      description: expect.stringMatching(/^.{20,}$/),
    })
    expect([manifest.scripts, manifest.devDependencies]).toEqual([undefined, undefined])
  })

  it.each(published)('$name has our licence, and a page with the command that installs or runs it', ({ home, name }) => {
    const textOf = (file: string): string => readFileSync(join(ROOT, home, file), 'utf8')
    expect(textOf('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
    expect(textOf('README.md')).toMatch(name === 'sallyport' ? /^npx sallyport run$/m : new RegExp(`^npm install ${name}$`, 'm'))
  })

  it.each(published)('$name needs no package of ours that is not published', ({ manifest }) => {
    const ours = Object.entries(manifest.dependencies ?? {}).filter(([name]) => isOurs(name))
    const names = PUBLISHED.map(({ name }) => name)
    expect(ours.filter(([name, version]) => !names.includes(name) || version !== root.version)).toEqual([])
  })

  it.each(published)('$name names no file that is not in it', ({ manifest }) => {
    const targets = [
      ...Object.values(manifest.bin ?? {}),
      ...Object.values(manifest.exports ?? {}).flatMap((to) => (typeof to === 'string' ? [to] : Object.values(to))),
    ]
    const folders = (manifest.files ?? []).map((pattern) => pattern.split('/')[0])
    expect(targets.length).toBeGreaterThan(0)
    expect(targets.filter((path) => !folders.includes(path.replace(/^\.\//, '').split('/')[0]))).toEqual([])
  })

  it('of the program bring the Node of every target, and what is bundled into it is not installed again', () => {
    const program = manifestIn('daemon')
    expect(Object.keys(program.optionalDependencies ?? {}).toSorted()).toEqual(TARGETS.map(({ nodePackage }) => nodePackage).toSorted())
    const keyring = '@napi-rs/keyring'
    expect(program.dependencies).toEqual({ [keyring]: manifestIn('daemon/src').dependencies?.[keyring] })
  })
})
