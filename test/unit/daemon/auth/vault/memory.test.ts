import { describe, expect, it } from 'vitest'
import { createMemoryTokens } from '#daemon/src/auth/vault/memory.ts'
import { Secret } from '@sallyport/core/secret'

const tokens = { applicationId: '1', userId: '2', accessToken: new Secret('x'), scopes: [], expiresAt: 0 }

describe('createMemoryTokens', () => {
  it('stores, replaces, lists and deletes; another one is separate', async () => {
    const vault = createMemoryTokens()
    await vault.put('a', tokens)
    await vault.put('b', tokens)
    await vault.put('a', { ...tokens, userId: '3' })
    expect((await vault.get('a'))?.userId).toBe('3')
    await vault.delete('b')
    expect(await vault.keys()).toEqual(['a'])
    expect(await createMemoryTokens().keys()).toEqual([])
  })
})
