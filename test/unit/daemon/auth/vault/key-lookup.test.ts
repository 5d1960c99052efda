import { randomBytes, createCipheriv } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openVault } from '#daemon/src/auth/vault/encrypted-file.ts'
import type { VaultStore } from '#daemon/src/auth/vault/key-lookup.ts'
import type { Unavailability } from '#daemon/src/auth/vault/key-store.ts'
import { Secret } from '@sallyport/core/secret'
import { FakeKeychain } from './fake-keychain.ts'

let dataDirectory: string
let keychain: FakeKeychain
let home: string
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'vault-'))
  home = join(dataDirectory, 'vault')
  keychain = new FakeKeychain()
})
afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

const open = (store: VaultStore = 'auto') => openVault({ dataDirectory, store, keychain })
const files = async () => (await readdir(home)).toSorted()
const tokens = { applicationId: '1', userId: 'ada', accessToken: new Secret('access'), scopes: [], expiresAt: 5 }

/** A vault with one token set and one bot token. */
async function filled(store: VaultStore = 'auto') {
  const vault = await open(store)
  await vault.tokens.put('a', tokens)
  await vault.bots.put('b', { applicationId: '1', name: 'Game', token: new Secret('bot-token') })
  keychain.done.length = 0
  return vault
}
async function isWhole(store: VaultStore = 'auto') {
  const vault = await open(store)
  expect((await vault.tokens.get('a'))?.accessToken.reveal()).toBe('access')
  expect((await vault.bots.get('b'))?.token.reveal()).toBe('bot-token')
  return vault.keyIn
}
const refusal = async (store: VaultStore = 'auto'): Promise<string> => {
  const sealed = await readFile(join(home, 'tokens.sealed')).catch(() => undefined)
  const failure: unknown = await open(store).then(
    () => 'opened',
    (reason: unknown) => reason,
  )
  expect(failure).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
  expect(await readFile(join(home, 'tokens.sealed')).catch(() => undefined)).toEqual(sealed)
  return (failure as Error).message
}
const AWAY: readonly Unavailability[] = ['no-bus', 'no-service', 'locked', 'dismissed', 'no-answer', 'no-addon', 'failed']

describe('with a keychain', () => {
  it('the key rests there alone, and opens the vault again', async () => {
    expect((await filled()).keyIn).toBe('keychain')
    expect(await files()).toEqual(['tokens.sealed'])
    expect(keychain.keys.size).toBe(1)
    expect(await isWhole()).toBe('keychain')
    expect(await isWhole('keychain')).toBe('keychain')
  })

  it('a folder that was moved finds its key, and two folders have two', async () => {
    await filled()
    const moved = `${dataDirectory}-moved`
    await rename(dataDirectory, moved)
    await open()
    expect(keychain.keys.size).toBe(2)
    await rm(dataDirectory, { recursive: true })
    await rename(moved, dataDirectory)
    expect(await isWhole()).toBe('keychain')
  })

  it('the setting for the file moves the key back, and the keychain keeps no copy', async () => {
    await filled()
    expect(await isWhole('file')).toBe('file')
    expect(await files()).toEqual(['tokens.key', 'tokens.sealed'])
    expect(keychain.keys.size).toBe(0)
    keychain.done.length = 0
    expect(await isWhole('file')).toBe('file')
    expect(keychain.done, 'a key that is in the file is not looked for elsewhere').toEqual([])
  })

  it('which was emptied, the vault is refused and not begun anew', async () => {
    await filled()
    keychain.keys.clear()
    expect(await refusal()).toMatch(/holds no key/)
    expect(keychain.keys.size).toBe(0)
    expect(await files()).toEqual(['tokens.sealed'])
  })

  it('with another key under the name, the vault is refused', async () => {
    await filled()
    for (const id of keychain.keys.keys()) keychain.keys.set(id, new Secret(randomBytes(32)))
    expect(await refusal()).toMatch(/do not open/)
  })
})

describe.each(AWAY)('a keychain that is away: %s', (reason) => {
  it('the file serves, until the keychain comes', async () => {
    keychain.absent = reason
    expect((await filled()).keyIn).toBe('file')
    expect(await isWhole()).toBe('file')
    keychain.absent = undefined
    expect(await isWhole()).toBe('keychain')
    expect(await files()).toEqual(['tokens.sealed'])
  })

  it('the vault whose key is only there is refused in a sentence that helps, keeps its bytes, and opens when it is back', async () => {
    await filled()
    keychain.absent = reason
    for (const store of ['auto', 'keychain', 'file'] as const) {
      const said = await refusal(store)
      expect(said).toMatch(/keychain, which .+\. .+, then try again; nothing is lost/)
      expect(said).toContain('--vault file')
    }
    expect(keychain.done).toContain('read patient')
    expect(await files()).toEqual(['tokens.sealed'])
    keychain.absent = undefined
    expect(await isWhole()).toBe('keychain')
  })

  it('is an error when the keychain is required, and the key stays where it is', async () => {
    keychain.absent = reason
    expect(await refusal('keychain')).toMatch(/is set to use .*--vault file/)
    await filled()
    expect(await refusal('keychain')).toMatch(/is set to use/)
    expect(await isWhole()).toBe('file')
  })
})

describe('moving the key', () => {
  it('a keychain that opens for reading only leaves the file as it was', async () => {
    keychain.refusesWrites = 'dismissed'
    expect((await filled()).keyIn).toBe('file')
    expect(await isWhole()).toBe('file')
    expect(await refusal('keychain')).toMatch(/dismissed/)
  })

  it('a keychain that forgets what it took never gets the only copy', async () => {
    await filled('file')
    keychain.keys.set = () => keychain.keys
    expect(await isWhole()).toBe('file')
    expect(await files()).toContain('tokens.key')
  })

  it('after a death between two steps, both copies serve, and one is left', async () => {
    await filled('file')
    const key = await readFile(join(home, 'tokens.key'))
    expect(await isWhole()).toBe('keychain')
    await writeFile(join(home, 'tokens.key'), key, { mode: 0o600 })
    expect(await isWhole()).toBe('keychain')
    expect(await files()).toEqual(['tokens.sealed'])
  })

  it('a stale file beside a keychain that opens the vault does no harm', async () => {
    await filled()
    await writeFile(join(home, 'tokens.key'), randomBytes(32), { mode: 0o600 })
    expect(await isWhole()).toBe('keychain')
  })

  it('a keychain that goes away while its copy is to be removed does not stop the file', async () => {
    await filled()
    keychain.remove = async () => {
      keychain.absent = 'locked'
      await keychain.read('', 'brief')
      return false
    }
    expect(await isWhole('file')).toBe('file')
  })
})

describe('a vault of the form before', () => {
  const key = randomBytes(32)
  async function earlier(): Promise<void> {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('SPV1 token vault'))
    const text = JSON.stringify([['a', { applicationId: '1', userId: 'ada', accessToken: 'access', scopes: [], expiresAt: 5 }]])
    const sealed = Buffer.concat([cipher.update(text), cipher.final()])
    await mkdir(home, { mode: 0o700 })
    await writeFile(join(home, 'tokens.sealed'), Buffer.concat([Buffer.from('SPV1'), nonce, cipher.getAuthTag(), sealed]), { mode: 0o600 })
    await writeFile(join(home, 'tokens.key'), key, { mode: 0o600 })
  }

  it.each(['keychain', 'file'] as const)('is read, and its key goes to the %s', async (store) => {
    await earlier()
    const vault = await open(store)
    expect((await vault.tokens.get('a'))?.accessToken.reveal()).toBe('access')
    expect(await vault.bots.keys()).toEqual([])
    expect(vault.keyIn).toBe(store)
    expect((await readFile(join(home, 'tokens.sealed'))).toString('latin1', 0, 4)).toBe('SPV2')
    expect((await open(store)).keyIn).toBe(store)
  })

  it('without its key is refused: it never was in a keychain', async () => {
    await earlier()
    await rm(join(home, 'tokens.key'))
    keychain.absent = 'no-bus'
    expect(await refusal()).toMatch(/tokens\.key is missing and the system's keychain holds no key/)
  })
})
