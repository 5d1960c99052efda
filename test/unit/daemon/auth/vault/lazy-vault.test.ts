import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isVaultMissing, openVault } from '#daemon/src/auth/vault/encrypted-file.ts'
import { keychain } from '#daemon/src/auth/vault/keychain.ts'
import { lazyVault } from '#daemon/src/auth/vault/lazy-vault.ts'
import { createMemoryCollection } from '#test/support/memory-vault.ts'
import type { BotToken, TokenSet, Vault } from '#daemon/src/auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { FakeClock } from '#test/support/fake-clock.ts'

const vaultInMemory = (): Vault => ({
  tokens: createMemoryCollection<TokenSet>(),
  bots: createMemoryCollection<BotToken>(),
  derivedKey: async (purpose) => ({ vaultKeyId: 'id', key: new Secret(Buffer.from(purpose)) }),
})
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('lazyVault', () => {
  it('opens at the first use, once, and passes everything on', async () => {
    let openings = 0
    const inner = vaultInMemory()
    const open = async () => {
      openings++
      return inner
    }
    const vault = lazyVault({ open, isMissing: () => false, clock: new FakeClock() })
    await turn()
    expect(openings).toBe(0)
    const bot = { applicationId: '1', name: 'Game', token: new Secret('x') }
    await Promise.all([vault.bots.put('b', bot), vault.tokens.keys(), vault.tokens.get('a')])
    expect(openings).toBe(1)
    expect(await inner.bots.get('b')).toBe(bot)
    await vault.bots.delete('b')
    expect(await vault.bots.keys()).toEqual([])
    expect(openings).toBe(1)
  })

  it('returns a failure to all calls for a while, and retries later', async () => {
    const clock = new FakeClock()
    const refused = new BridgeError('SERVICE_UNAVAILABLE', 'locked')
    let openings = 0
    const open = async () => {
      openings++
      if (openings === 1) throw refused
      return vaultInMemory()
    }
    const vault = lazyVault({ open, isMissing: () => false, clock })
    await expect(vault.tokens.keys()).rejects.toBe(refused)
    await expect(vault.bots.keys()).rejects.toBe(refused)
    expect(openings).toBe(1)
    clock.advance(60_000)
    expect(await vault.tokens.keys()).toEqual([])
    expect(openings).toBe(2)
  })

  it('does not let calls wait for the user, and uses the answer when it arrives', async () => {
    const clock = new FakeClock()
    const { promise, resolve } = Promise.withResolvers<Vault>()
    const vault = lazyVault({ open: () => promise, isMissing: () => false, clock })
    const asked = vault.tokens.keys()
    clock.advance(60_000)
    await expect(asked).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('unlock') as string })
    resolve(vaultInMemory())
    expect(await vault.tokens.keys()).toEqual([])
  })

  it('opens for the first put only while the vault has no file', async () => {
    let isMissing = true
    let openings = 0
    const open = async () => {
      openings++
      isMissing = false
      return vaultInMemory()
    }
    const vault = lazyVault({ open, isMissing: () => isMissing, clock: new FakeClock() })
    expect([await vault.tokens.keys(), await vault.tokens.get('a'), await vault.bots.keys(), await vault.bots.get('b')]).toEqual([
      [],
      undefined,
      [],
      undefined,
    ])
    await vault.tokens.delete('a')
    expect(openings).toBe(0)
    await vault.bots.put('b', { applicationId: '1', name: 'Game', token: new Secret('x') })
    expect([await vault.bots.keys(), openings]).toEqual([['b'], 1])
  })

  it('sends the keychain nothing, which takes a process, until something is stored', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'sp-'))
    let secret: string | null = null
    const sent: string[] = []
    const store = keychain(async (request) => {
      sent.push(request.op)
      if (request.op === 'write') secret = request.secret ?? null
      return { ok: true, secret }
    })
    const vault = lazyVault({
      open: () => openVault({ dataDirectory, store: 'auto', keychain: store }),
      isMissing: () => isVaultMissing(dataDirectory),
      clock: new FakeClock(),
    })
    expect([await vault.tokens.keys(), await vault.tokens.get('a'), await vault.bots.keys(), sent]).toEqual([[], undefined, [], []])
    await vault.tokens.delete('a')
    expect(sent).toEqual([])
    await vault.bots.put('b', { applicationId: '1', name: 'Game', token: new Secret('x') })
    expect(sent).toContain('write')
    rmSync(dataDirectory, { recursive: true })
  })

  it('reads nothing while the first put waits for the keychain, and then learns what prevents it', async () => {
    const refused = new BridgeError('SERVICE_UNAVAILABLE', 'locked')
    let refuse = (): void => {}
    const opening = new Promise<never>((_, reject) => {
      refuse = () => reject(refused)
    })
    const vault = lazyVault({ open: () => opening, isMissing: () => true, clock: new FakeClock() })
    const put = vault.bots.put('b', { applicationId: '1', name: 'Game', token: new Secret('x') })
    expect(await vault.tokens.keys()).toEqual([])
    refuse()
    await expect(put).rejects.toBe(refused)
    await expect(vault.tokens.keys()).rejects.toBe(refused)
  })
})
