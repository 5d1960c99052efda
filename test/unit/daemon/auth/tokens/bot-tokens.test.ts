import { describe, expect, it } from 'vitest'
import { createBotTokens } from '../../../../../daemon/src/auth/tokens/bot-tokens.ts'
import { createMemoryShelf } from '../../../../../daemon/src/auth/vault/memory.ts'
import type { BotToken } from '../../../../../daemon/src/auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'

const patience = { signal: new AbortController().signal, deadlineAt: 0 }

/** A platform on which `bot-N` is the token of application N. */
function world({
  given,
  platform = 'test',
  shelf = createMemoryShelf<BotToken>(),
}: Partial<Pick<Parameters<typeof createBotTokens>[0], 'given' | 'platform' | 'shelf'>> = {}) {
  const asked: string[] = []
  const changed: string[] = []
  const state = { isAway: false, isReset: false }
  const tokens = createBotTokens({
    platform,
    shelf,
    given,
    onChange: (applicationId) => changed.push(applicationId),
    async whose(token) {
      asked.push(token.reveal())
      if (state.isAway) throw new BridgeError('SERVICE_UNAVAILABLE', 'away')
      const id = /^bot-(\d+)$/.exec(token.reveal())?.[1]
      if (id === undefined || state.isReset) throw new BridgeError('INVALID_TOKEN', 'not a bot')
      return { applicationId: id, name: `Game ${id}` }
    },
  })
  return { tokens, asked, changed, shelf, state }
}

describe('a stored bot token', () => {
  it('serves the application that the platform names, and no other', async () => {
    const { tokens } = world()
    expect(await tokens.of('1', patience)).toBeUndefined()
    expect(await tokens.store(new Secret('bot-1'), undefined, patience)).toEqual({ applicationId: '1', name: 'Game 1' })
    expect((await tokens.of('1', patience))?.reveal()).toBe('bot-1')
    expect(await tokens.of('2', patience)).toBeUndefined()
    expect(await tokens.list()).toEqual([{ applicationId: '1', name: 'Game 1' }])
  })

  it('is refused, and not stored, when it is none or of another application than was said', async () => {
    const { tokens, shelf } = world()
    await expect(tokens.store(new Secret('user-token'), undefined, patience)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    await expect(tokens.store(new Secret('bot-1'), '2', patience)).rejects.toMatchObject({
      error: 'INVALID_CLIENTID',
      message: expect.stringContaining('application 1, not of 2') as string,
    })
    expect(await shelf.keys()).toEqual([])
  })

  it('of another platform is not seen', async () => {
    const { tokens, shelf } = world()
    await tokens.store(new Secret('bot-1'), '1', patience)
    const other = world({ platform: 'other', shelf }).tokens
    expect(await other.of('1', patience)).toBeUndefined()
    expect(await other.list()).toEqual([])
    expect(await other.forget('1')).toBe(false)
    expect(await tokens.list()).toHaveLength(1)
  })

  it('that the platform takes no longer is forgotten, and only that', async () => {
    const { tokens, state } = world()
    await tokens.store(new Secret('bot-1'), undefined, patience)
    expect(await tokens.refused('1', new Secret('bot-1'), patience), 'good after all').toBeUndefined()
    state.isAway = true
    expect(await tokens.refused('1', new Secret('bot-1'), patience), 'nobody can tell').toBeUndefined()
    expect(await tokens.list()).toHaveLength(1)
    state.isAway = false
    state.isReset = true
    expect(await tokens.refused('1', new Secret('bot-1, the older'), patience)).toBe('stored')
    expect(await tokens.list(), 'another was stored meanwhile').toHaveLength(1)
    expect(await tokens.refused('1', new Secret('bot-1'), patience)).toBe('stored')
    expect(await tokens.list()).toEqual([])
  })

  it('that is forgotten is gone', async () => {
    const { tokens, changed } = world()
    await tokens.store(new Secret('bot-1'), undefined, patience)
    expect(await tokens.forget('1')).toBe(true)
    expect(await tokens.of('1', patience)).toBeUndefined()
    expect(await tokens.forget('1')).toBe(false)
    expect(changed, 'once stored, once forgotten').toEqual(['1', '1'])
  })
})

describe('a bot token given to the run', () => {
  it('serves its own application without a vault, and others only from the vault', async () => {
    const { tokens, asked, shelf } = world({ given: new Secret('bot-1') })
    expect((await tokens.of('1', patience))?.reveal()).toBe('bot-1')
    expect(await tokens.of('2', patience)).toBeUndefined()
    await tokens.store(new Secret('bot-2'), undefined, patience)
    expect((await tokens.of('2', patience))?.reveal()).toBe('bot-2')
    expect(asked, 'the platform is asked once about each').toEqual(['bot-1', 'bot-2'])
    expect(await shelf.keys()).toHaveLength(1)
  })

  it('that the platform takes no longer is told apart, since nothing can be forgotten', async () => {
    const { tokens, state } = world({ given: new Secret('bot-1') })
    state.isReset = true
    expect(await tokens.refused('1', new Secret('bot-1'), patience)).toBe('given')
  })

  it('that is refused stays refused, without asking again', async () => {
    const { tokens, asked } = world({ given: new Secret('nonsense') })
    for (let time = 0; time < 3; time++) await expect(tokens.of('1', patience)).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    expect(asked).toHaveLength(1)
  })

  it('is asked about again after the platform was away', async () => {
    const { tokens, state } = world({ given: new Secret('bot-1') })
    state.isAway = true
    await expect(tokens.of('1', patience)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    state.isAway = false
    expect((await tokens.of('1', patience))?.reveal()).toBe('bot-1')
  })
})
