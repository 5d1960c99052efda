import { describe, expect, it } from 'vitest'
import { createBotTokens } from '#daemon/src/auth/tokens/bot-tokens.ts'
import { createMemoryCollection } from '#test/support/memory-vault.ts'
import type { BotToken } from '#daemon/src/auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'

const deadline = { cancelSignal: new AbortController().signal, deadlineAt: 0 }

/** A platform on which `bot-N` is the token of application N. */
function world({
  configuredToken,
  platform = 'test',
  collection = createMemoryCollection<BotToken>(),
}: Partial<Pick<Parameters<typeof createBotTokens>[0], 'configuredToken' | 'platform' | 'collection'>> = {}) {
  const asked: string[] = []
  const changed: string[] = []
  const state = { isAway: false, isReset: false }
  const tokens = createBotTokens({
    platform,
    collection: collection,
    configuredToken: configuredToken,
    onChange: (applicationId) => changed.push(applicationId),
    async identify(token) {
      asked.push(token.reveal())
      if (state.isAway) throw new BridgeError('SERVICE_UNAVAILABLE', 'away')
      const id = /^bot-(\d+)$/.exec(token.reveal())?.[1]
      if (id === undefined || state.isReset) throw new BridgeError('INVALID_TOKEN', 'not a bot')
      return { applicationId: id, name: `Game ${id}` }
    },
  })
  return { tokens, asked, changed, collection, state }
}

describe('a stored bot token', () => {
  it('serves the application that the platform names, and no other', async () => {
    const { tokens } = world()
    expect(await tokens.of('1', deadline)).toBeUndefined()
    expect(await tokens.store(new Secret('bot-1'), undefined, deadline)).toEqual({ applicationId: '1', name: 'Game 1' })
    expect((await tokens.of('1', deadline))?.reveal()).toBe('bot-1')
    expect(await tokens.of('2', deadline)).toBeUndefined()
    expect(await tokens.list()).toEqual([{ applicationId: '1', name: 'Game 1' }])
  })

  it('is refused, and not stored, when it is none or of another application than was said', async () => {
    const { tokens, collection } = world()
    await expect(tokens.store(new Secret('user-token'), undefined, deadline)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    await expect(tokens.store(new Secret('bot-1'), '2', deadline)).rejects.toMatchObject({
      error: 'INVALID_CLIENTID',
      message: expect.stringContaining('application 1, not of 2') as string,
    })
    expect(await collection.keys()).toEqual([])
  })

  it('of another platform is not seen', async () => {
    const { tokens, collection } = world()
    await tokens.store(new Secret('bot-1'), '1', deadline)
    const other = world({ platform: 'other', collection }).tokens
    expect(await other.of('1', deadline)).toBeUndefined()
    expect(await other.list()).toEqual([])
    expect(await other.delete('1')).toBe(false)
    expect(await tokens.list()).toHaveLength(1)
  })

  it('that the platform takes no longer is forgotten, and only that', async () => {
    const { tokens, state } = world()
    await tokens.store(new Secret('bot-1'), undefined, deadline)
    expect(await tokens.onRejected('1', new Secret('bot-1'), deadline), 'good after all').toBeUndefined()
    state.isAway = true
    expect(await tokens.onRejected('1', new Secret('bot-1'), deadline), 'validity is unknown').toBeUndefined()
    expect(await tokens.list()).toHaveLength(1)
    state.isAway = false
    state.isReset = true
    expect(await tokens.onRejected('1', new Secret('bot-1, the older'), deadline)).toBe('stored')
    expect(await tokens.list(), 'another was stored meanwhile').toHaveLength(1)
    expect(await tokens.onRejected('1', new Secret('bot-1'), deadline)).toBe('stored')
    expect(await tokens.list()).toEqual([])
  })

  it('that is forgotten is gone', async () => {
    const { tokens, changed } = world()
    await tokens.store(new Secret('bot-1'), undefined, deadline)
    expect(await tokens.delete('1')).toBe(true)
    expect(await tokens.of('1', deadline)).toBeUndefined()
    expect(await tokens.delete('1')).toBe(false)
    expect(changed, 'once stored, once forgotten').toEqual(['1', '1'])
  })
})

describe('a bot token given to the run', () => {
  it('serves its own application without a vault, and others only from the vault', async () => {
    const { tokens, asked, collection } = world({ configuredToken: new Secret('bot-1') })
    expect((await tokens.of('1', deadline))?.reveal()).toBe('bot-1')
    expect(await tokens.of('2', deadline)).toBeUndefined()
    await tokens.store(new Secret('bot-2'), undefined, deadline)
    expect((await tokens.of('2', deadline))?.reveal()).toBe('bot-2')
    expect(asked, 'the platform is asked once about each').toEqual(['bot-1', 'bot-2'])
    expect(await collection.keys()).toHaveLength(1)
  })

  it('that the platform rejects is distinguished, because it cannot be deleted', async () => {
    const { tokens, state } = world({ configuredToken: new Secret('bot-1') })
    state.isReset = true
    expect(await tokens.onRejected('1', new Secret('bot-1'), deadline)).toBe('configured')
  })

  it('that is refused stays refused, without asking again', async () => {
    const { tokens, asked } = world({ configuredToken: new Secret('nonsense') })
    for (let time = 0; time < 3; time++) await expect(tokens.of('1', deadline)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    expect(asked).toHaveLength(1)
  })

  it('is asked about again after the platform was away', async () => {
    const { tokens, state } = world({ configuredToken: new Secret('bot-1') })
    state.isAway = true
    await expect(tokens.of('1', deadline)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    state.isAway = false
    expect((await tokens.of('1', deadline))?.reveal()).toBe('bot-1')
  })
})
