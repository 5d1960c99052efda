/** The list of parts of the executables (CycloneDX 1.5), made by npm from the lockfile, with Node, and without what differs between two runs. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { TARGETS } from './base-node.ts'
import type { NodeList } from './node-list.ts'

interface Component {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly purl: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly [field: string]: unknown
}

interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

export interface Sbom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly version: number
  readonly serialNumber: string
  readonly metadata: { readonly timestamp?: string; readonly tools: unknown; readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

const DAEMON = '@sallyport/daemon'
const KEYRING = '@napi-rs/keyring-'
const MAX_OUTPUT = 64 * 1024 * 1024

const isForDevelopment = ({ properties = [] }: Component): boolean => properties.some(({ name }) => name === 'cdx:npm:package:development')

/** The keychain library of a system without an executable is in none. */
const isForOtherSystem = ({ purl }: Component): boolean => {
  const name = decodeURIComponent(purl)
  return name.includes(`/${KEYRING}`) && !TARGETS.some(({ keyring }) => name.includes(`/${KEYRING}${keyring}@`))
}

/** `npm sbom` for the daemon. With `--omit dev`, npm also omits packages that run, so the development packages are removed here. */
export async function npmSbom(root: string): Promise<Sbom> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--workspace', DAEMON]
  const { stdout } = await promisify(execFile)(npm, words, { cwd: root, maxBuffer: MAX_OUTPUT, shell: process.platform === 'win32' })
  return JSON.parse(stdout) as Sbom
}

/** References that the daemon reaches when it runs. */
function reached(sbom: Sbom): ReadonlySet<string> {
  const usable = new Map(
    sbom.components.filter((part) => !isForDevelopment(part) && !isForOtherSystem(part)).map((part) => [part['bom-ref'], part]),
  )
  const next = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const found = new Set<string>()
  const visit = (ref: string): void => {
    if (found.has(ref) || !usable.has(ref)) return
    found.add(ref)
    next.get(ref)?.forEach(visit)
  }
  for (const ref of usable.keys()) if (ref.startsWith(`${DAEMON}@`)) visit(ref)
  return found
}

/** The Node of each target, as the npm package that brings it. */
const nodeComponents = ({ binaries }: NodeList): readonly Component[] =>
  TARGETS.flatMap(({ name }) => {
    const binary = binaries[name]
    if (binary === undefined) return []
    return [
      {
        'bom-ref': `${binary.package}@${binary.version}`,
        type: 'platform',
        name: binary.package,
        version: binary.version,
        purl: `pkg:npm/${binary.package}@${binary.version}`,
        description: `Node for ${name}; the hash is that of ${binary.file}.`,
        hashes: [{ alg: 'SHA-256', content: binary.sha256 }],
        licenses: [{ license: { id: 'MIT' } }],
      },
    ]
  })

/** A UUID made of the content, so that the same parts have the same serial number. */
function serialOf(content: string): string {
  const digest = createHash('sha256').update(content).digest('hex')
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

/** The parts of the executables. `version`: of the program. */
export function sbomOf(sbom: Sbom, nodes: NodeList, version: string): Sbom {
  const kept = reached(sbom)
  const runtimes = nodeComponents(nodes)
  const program = `sallyport@${version}`
  const byReference = (one: Component, other: Component) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)
  const { timestamp: _, ...metadata } = sbom.metadata
  const parts = {
    ...sbom,
    metadata: {
      ...metadata,
      component: {
        'bom-ref': program,
        type: 'application',
        name: 'sallyport',
        version,
        purl: `pkg:npm/${program}`,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: [...sbom.components.filter((part) => kept.has(part['bom-ref'])), ...runtimes].toSorted(byReference),
    dependencies: [
      {
        ref: program,
        dependsOn: [...kept].filter((ref) => ref.startsWith(`${DAEMON}@`)).concat(runtimes.map((part) => part['bom-ref'])),
      },
      ...sbom.dependencies
        .filter(({ ref }) => kept.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => kept.has(on)) })),
    ],
  }
  return { ...parts, serialNumber: serialOf(JSON.stringify({ ...parts, serialNumber: '' })) }
}
