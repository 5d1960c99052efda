import { describe, expect, test } from 'vitest'
import { npmSbom, type Sbom, sbomOf } from '#daemon/packaging/sbom.ts'
import { readNodeList } from '#daemon/packaging/node-list.ts'
import { filesOf, ROOT } from '#test/architecture/source-tree.ts'

interface Review {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly by: readonly string[] }>>
}

const component = (ref: string, isForDevelopment = false) => ({
  'bom-ref': ref,
  type: 'library',
  name: ref,
  version: '1.0.0',
  purl: `pkg:npm/${encodeURIComponent(ref)}`,
  properties: isForDevelopment ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
})

test('has what the daemon reaches, and nothing that only builds or tests it', async () => {
  const given: Sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    serialNumber: 'urn:uuid:0',
    metadata: { timestamp: 'now', tools: [], component: component('root') },
    components: [component('@sallyport/daemon@1'), component('used@1'), component('builds@1', true), component('of-builds@1')],
    dependencies: [
      { ref: '@sallyport/daemon@1', dependsOn: ['used@1', 'builds@1'] },
      { ref: 'builds@1', dependsOn: ['of-builds@1'] },
      { ref: 'used@1', dependsOn: [] },
    ],
  }
  const made = sbomOf(given, await readNodeList(), '1.2.3')
  const refs = made.components.map((part) => part['bom-ref'])
  expect(refs).toContain('used@1')
  expect(refs).not.toContain('of-builds@1')
  expect(refs.filter((ref) => ref.startsWith('node-'))).toHaveLength(5)
  expect(made.dependencies[0]).toMatchObject({ ref: 'sallyport@1.2.3', dependsOn: expect.arrayContaining(['@sallyport/daemon@1']) })
  expect(made.metadata).not.toHaveProperty('timestamp')
  // Another time and another number of npm's, the same parts.
  expect(
    sbomOf({ ...given, serialNumber: 'urn:uuid:1', metadata: { ...given.metadata, timestamp: 'later' } }, await readNodeList(), '1.2.3'),
  ).toEqual(made)
})

describe('from the lockfile', () => {
  test('every package that runs is in it', { timeout: 120_000 }, async () => {
    const made = sbomOf(await npmSbom(ROOT), await readNodeList(), '1.2.3')
    const refs = made.components.map((part) => part['bom-ref'])
    const [review] = filesOf((path) => path === 'test/architecture/runtime-tree.reviewed.json')
    const { packages } = JSON.parse(review?.text ?? '{}') as Review
    const running = Object.entries(packages)
      .filter(([, { by }]) => !by.every((who) => who === 'workspace protocol'))
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`)
    expect(running.length).toBeGreaterThan(20)
    expect(running.filter((ref) => !refs.includes(ref))).toEqual([])
    expect(refs.filter((ref) => /esbuild|vitest|resedit|yao-pkg/.test(ref))).toEqual([])
  })
})
