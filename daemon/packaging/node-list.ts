/** The list of Node binaries that may go into an executable (`node-sha256.json`), and the check of a file against it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface NodeBinary {
  /** The npm package of the binary, with its integrity in the lockfile. */
  readonly package: string
  readonly version: string
  readonly integrity: string
  /** The path of the binary in the package. */
  readonly file: string
  readonly sha256: string
  /** The file of the release for this target, and its SHA-256 in the release's list. */
  readonly release: { readonly file: string; readonly sha256: string }
  /** Whether `npm run check-node-release` has compared the binary with the release's signed list. */
  readonly releaseChecked: boolean
  /** Additional facts about the origin of the binary. */
  readonly provenance: string
}

export interface NodeList {
  readonly node: string
  /** Fingerprint of the key that signed the release's list. */
  readonly signer: string
  readonly sources: readonly string[]
  /** By target name. */
  readonly binaries: Readonly<Record<string, NodeBinary>>
}

export const NODE_LIST = join(import.meta.dirname, 'node-sha256.json')

export const readNodeList = async (file = NODE_LIST): Promise<NodeList> => JSON.parse(await readFile(file, 'utf8')) as NodeList

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Rejects unless the file is the listed binary of the target. */
export async function assertListed(file: string, target: string, version: string, list: NodeList): Promise<void> {
  const listed = list.binaries[target]
  if (listed === undefined || listed.version !== version) {
    throw new Error(`node-sha256.json lists no Node ${version} for ${target}; add it, and compare it with "npm run check-node-release"`)
  }
  if ((await sha256Of(file)) !== listed.sha256) {
    throw new Error(`the Node for ${target} differs from node-sha256.json; run "npm ci", and find out what changed it`)
  }
}
