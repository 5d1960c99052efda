import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openVault } from '#daemon/src/auth/vault/encrypted-file.ts'
import type { TokenSet } from '#daemon/src/auth/vault/vault.ts'
import { Secret } from '@sallyport/core/secret'
import { noKeychain } from './fake-keychain.ts'

const openFileVault = async (dataDirectory: string) =>
  (await openVault({ dataDirectory, store: 'auto', keychain: noKeychain('no-bus') })).tokens

const hasModes = process.platform !== 'win32'

let directory: string
let sealed: string
let key: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vault-'))
  sealed = join(directory, 'vault', 'tokens.sealed')
  key = join(directory, 'vault', 'tokens.key')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const tokens = (over: Partial<TokenSet> = {}): TokenSet => ({
  applicationId: '123',
  userId: 'ada',
  accessToken: new Secret('the-access-token'),
  refreshToken: new Secret('the-refresh-token'),
  scopes: ['identify', 'openid'],
  expiresAt: 1_700_000_000_000,
  ...over,
})

const shown = (given: TokenSet | undefined) =>
  given && { ...given, accessToken: given.accessToken.reveal(), refreshToken: given.refreshToken?.reveal() }

describe('a vault with its key in a file', () => {
  it('gives back after a restart what was put in, and not what was deleted', async () => {
    const vault = await openFileVault(directory)
    expect(await vault.get('a')).toBeUndefined()
    const { refreshToken: _, ...lone } = tokens({ userId: 'bob' })
    await vault.put('a', tokens())
    await vault.put('b', lone)
    await vault.put('c', tokens())
    await vault.delete('c')
    const again = await openFileVault(directory)
    expect((await again.keys()).toSorted()).toEqual(['a', 'b'])
    expect(shown(await again.get('a'))).toEqual(shown(tokens()))
    expect(await again.get('b')).not.toHaveProperty('refreshToken')
    expect(await again.get('c')).toBeUndefined()
  })

  it('names the disk when its folder cannot be made', async () => {
    await writeFile(join(directory, 'file'), '')
    await expect(openFileVault(join(directory, 'file'))).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/^The stored tokens in .+ cannot be used \(.+\); check that the disk is writable/) as string,
    })
  })

  it.runIf(hasModes)('is not accessible to other users', async () => {
    const vault = await openFileVault(directory)
    await vault.put('a', tokens())
    expect((await stat(join(directory, 'vault'))).mode & 0o777).toBe(0o700)
    expect((await stat(sealed)).mode & 0o777).toBe(0o600)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
    expect((await readFile(key)).length).toBe(32)
  })

  it('shows nothing of the tokens or of whose they are, and never the same bytes twice', async () => {
    const vault = await openFileVault(directory)
    await vault.put('the-key-name', tokens())
    const first = await readFile(sealed)
    for (const text of ['the-access-token', 'the-refresh-token', 'the-key-name', 'ada', 'identify'])
      expect(first.includes(text)).toBe(false)
    await vault.put('the-key-name', tokens())
    const second = await readFile(sealed)
    expect(second.subarray(4, 20)).toEqual(first.subarray(4, 20))
    expect(second.subarray(20, 32)).not.toEqual(first.subarray(20, 32))
  })

  it('leaves nothing but the two files, also after a draft that a dead process left', async () => {
    const vault = await openFileVault(directory)
    await writeFile(`${sealed}.new`, 'half')
    await vault.put('a', tokens())
    expect((await readdir(join(directory, 'vault'))).toSorted()).toEqual(['tokens.key', 'tokens.sealed'])
  })

  it('writes one after the other, and those that come meanwhile together', async () => {
    const vault = await openFileVault(directory)
    await Promise.all(Array.from({ length: 500 }, (_, index) => vault.put(`k${index % 50}`, tokens({ expiresAt: index }))))
    await Promise.all([vault.put('x', tokens()), vault.delete('x'), vault.put('y', tokens()), vault.delete('k0')])
    const again = await openFileVault(directory)
    expect(await again.keys()).toHaveLength(50)
    expect((await again.get('k49'))?.expiresAt).toBe(499)
    expect(await again.get('x')).toBeUndefined()
  })

  it('rejects a failed write, keeps the old content, and works again later', async () => {
    const vault = await openFileVault(directory)
    await vault.put('a', tokens({ expiresAt: 1 }))
    await mkdir(`${sealed}.new`)
    await writeFile(join(`${sealed}.new`, 'in-the-way'), '')
    await expect(vault.put('a', tokens({ expiresAt: 2 }))).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect((await vault.get('a'))?.expiresAt).toBe(1)
    await rm(`${sealed}.new`, { recursive: true })
    await vault.put('b', tokens())
    const again = await openFileVault(directory)
    expect((await again.get('a'))?.expiresAt).toBe(1)
    expect(await again.keys()).toContain('b')
  })
})

describe('a vault that is not as it was left', () => {
  const filled = async () => {
    const vault = await openFileVault(directory)
    await vault.put('a', tokens())
    return readFile(sealed)
  }

  /** It must be refused with a sentence, and still be there afterwards, byte for byte. */
  const isRefused = async (words: RegExp) => {
    const before = await readFile(sealed)
    await expect(openFileVault(directory)).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(words) as string,
    })
    expect((await readFile(sealed)).equals(before)).toBe(true)
  }

  it.each([0, 3, 4, 10, 19, 20, 31, 32, 47, 48, -1])('is refused when byte %i was changed', async (at) => {
    const bytes = await filled()
    const index = at < 0 ? bytes.length + at : at
    bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index)
    await writeFile(sealed, bytes)
    await isRefused(/do not open|is no vault|does not know/)
  })

  it.each([0, 1, 4, 19, 20, 31, 47, 48, 100])('is refused when only %i bytes are left', async (length) => {
    await writeFile(sealed, (await filled()).subarray(0, length))
    await isRefused(/do not open|is no vault/)
  })

  it('is refused with another key, a broken key, and no key, and no new key is made', async () => {
    await filled()
    await writeFile(key, Buffer.alloc(32, 7))
    await isRefused(/do not open/)
    await writeFile(key, Buffer.alloc(31, 7))
    await isRefused(/not a key/)
    await rename(key, `${key}.away`)
    await isRefused(/is missing/)
    expect(await readdir(join(directory, 'vault'))).not.toContain('tokens.key')
  })

  it.runIf(hasModes)('is refused while others can read it, saying how to mend it', async () => {
    await filled()
    await chmod(sealed, 0o640)
    await isRefused(/chmod 600/)
    await chmod(sealed, 0o600)
    await chmod(key, 0o604)
    await isRefused(/chmod 600/)
    await chmod(key, 0o600)
    await chmod(join(directory, 'vault'), 0o755)
    await isRefused(/chmod 700/)
    await chmod(join(directory, 'vault'), 0o700)
    expect(await (await openFileVault(directory)).keys()).toEqual(['a'])
  })

  it.runIf(hasModes)('is refused when it is a link, a directory, or far too large', async () => {
    await filled()
    await rename(sealed, `${sealed}.elsewhere`)
    await symlink(`${sealed}.elsewhere`, sealed)
    await isRefused(/not a file/)
    await rm(sealed)
    await mkdir(sealed)
    await expect(openFileVault(directory)).rejects.toMatchObject({ message: expect.stringMatching(/not a file/) as string })
    await rm(sealed, { recursive: true })
    await writeFile(sealed, '', { mode: 0o600 })
    await truncate(sealed, 16 * 1024 * 1024 + 1)
    await isRefused(/too large/)
  })
})

describe('kill -9', () => {
  const ROUNDS = 6

  it('at any moment leaves every acknowledged write readable', async () => {
    const writer = join(import.meta.dirname, 'writer.ts')
    let acknowledged = -1
    for (let round = 0; round < ROUNDS; round += 1) {
      const child = spawn(process.execPath, ['--conditions=sallyport-source', writer, directory, String(acknowledged + 1)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const closed = new Promise((done) => child.once('close', done))
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        // Another moment each round: the kill falls somewhere in a later write.
        if (output.split('\n').length > 3 + round * 5) child.kill('SIGKILL')
      })
      await closed
      expect(child.signalCode).toBe('SIGKILL')
      acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))
      const found = await (await openFileVault(directory)).get('key')
      const kept = Number(found?.refreshToken?.reveal())
      expect(kept).toBeGreaterThanOrEqual(acknowledged)
      expect(found?.expiresAt).toBe(kept)
      expect(found?.accessToken.reveal()).toHaveLength(kept % 5000)
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS)
  })
})
