/** Compares the listed Node binaries with the release of Node. The URL and the signature check are parameters. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type NodeBinary, type NodeList, sha256Of } from './node-list.ts'

const run = promisify(execFile)

export interface Signed {
  /** The signed text. */
  readonly text: string
  /** Fingerprint of the key. */
  readonly signer: string
}

/** Verifies the signed list. Rejects an invalid signature. */
export type Verify = (published: Uint8Array) => Promise<Signed>

export interface Release {
  /** The URL of the releases, without version. */
  readonly base: string
  readonly verify: Verify
  /** A folder for downloads. */
  readonly scratch: string
}

export interface Comparison {
  readonly target: string
  /** Undefined if the binary equals the one of the release. */
  readonly problem?: string
}

const LINE = /^([0-9a-f]{64}) [ *](\S+)$/

/** Parses `SHASUMS256.txt`: file to SHA-256. */
export const sumsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const [, sum, file] = LINE.exec(line) ?? []
      return sum === undefined || file === undefined ? [] : [[file, sum] as const]
    }),
  )

/** The primary key of the only valid signature in the output of `gpgv --status-fd`. Throws if there is not exactly one. */
export function signerOf(status: string): string {
  const valid = status.split(/\r?\n/).filter((line) => line.startsWith('[GNUPG:] VALIDSIG '))
  const signer = valid[0]?.trim().split(' ').at(-1)
  if (valid.length !== 1 || signer === undefined) throw new Error('the list of the release does not have exactly one valid signature')
  return signer
}

/** Checks with gpgv against a file of public keys. */
export const gpgVerify =
  (keyring: string, scratch: string): Verify =>
  async (published) => {
    const [signed, text] = [join(scratch, 'SHASUMS256.txt.asc'), join(scratch, 'SHASUMS256.txt')]
    await writeFile(signed, published)
    const { stdout: status } = await run('gpgv', ['--status-fd', '1', '--keyring', keyring, '--output', text, signed])
    return { text: await readFile(text, 'utf8'), signer: signerOf(status) }
  }

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} returns ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** Path of the binary in a published file: the file itself, or a member of the archive. */
async function binaryOf(published: string, file: string, folder: string): Promise<string> {
  if (!file.endsWith('.tar.gz')) return published
  const member = `${file.slice(0, -'.tar.gz'.length)}/bin/node`
  await run('tar', ['-xzf', published, '-C', folder, member])
  return join(folder, member)
}

async function problemOf(binary: NodeBinary, sums: ReadonlyMap<string, string>, from: string, folder: string): Promise<string | undefined> {
  const { file, sha256 } = binary.release
  const sum = sums.get(file)
  if (sum === undefined) return `the release does not list ${file}`
  if (sum !== sha256) return `the release lists another SHA-256 of ${file} than node-sha256.json`
  const bytes = await download(`${from}/${file}`)
  if (createHash('sha256').update(bytes).digest('hex') !== sum) return `${file} as published has another SHA-256 than the release lists`
  await mkdir(folder, { recursive: true })
  const published = join(folder, 'published')
  await writeFile(published, bytes)
  if ((await sha256Of(await binaryOf(published, file, folder))) !== binary.sha256) {
    return `the binary of ${binary.package} is not the one in ${file}; do not use it`
  }
  return undefined
}

/** One comparison per target. Rejects if the release or its signature is not available, or another key signed it. */
export async function compareWithRelease(list: NodeList, { base, verify, scratch }: Release): Promise<readonly Comparison[]> {
  const from = `${base}/v${list.node}`
  const { text, signer } = await verify(await download(`${from}/SHASUMS256.txt.asc`))
  if (signer !== list.signer) throw new Error(`the release is signed by ${signer}, but node-sha256.json has ${list.signer}`)
  const sums = sumsOf(text)
  const compared: Comparison[] = []
  // Sequential, because each is a hundred megabytes.
  for (const [target, binary] of Object.entries(list.binaries)) {
    const problem = await problemOf(binary, sums, from, join(scratch, target))
    compared.push(problem === undefined ? { target } : { target, problem })
  }
  return compared
}

/** The list with updated `releaseChecked` marks. */
export function withReleaseChecks(list: NodeList, compared: readonly Comparison[]): NodeList {
  const good = new Set(compared.filter(({ problem }) => problem === undefined).map(({ target }) => target))
  const binaries = Object.entries(list.binaries).map(([target, binary]) => [target, { ...binary, releaseChecked: good.has(target) }])
  return { ...list, binaries: Object.fromEntries(binaries) as NodeList['binaries'] }
}
