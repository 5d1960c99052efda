import { BUDGETS } from '@sallyport/core/budgets'
import { CHANNEL_OBFUSCATED } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { GuildCache } from '#daemon/src/events/providers/gateway/cache/guild-cache.ts'

const HARBOUR = {
  id: '7',
  name: 'Harbour',
  icon: 'a1',
  approximate_presence_count: 2,
  channels: [{ id: '70', type: 0, application_id: '1' }],
}
const HIDDEN = { id: '71', guild_id: '7', type: 0, position: 3, parent_id: '72', name: '___hidden___', flags: CHANNEL_OBFUSCATED }

let cache: GuildCache
const take = (t: string, d: unknown) => cache.update(t, d)?.kind
beforeEach(() => {
  cache = new GuildCache()
  cache.update('READY', { guilds: [{ id: '7', unavailable: true }] })
})

test('a guild in READY is loaded when it comes; another one was joined', () => {
  expect(cache.guild('7')).toMatchObject({ name: undefined, isAvailable: false })
  expect([take('GUILD_CREATE', HARBOUR), take('GUILD_CREATE', { id: '8', name: 'Lighthouse' })]).toEqual(['loaded', 'joined'])
  expect(cache.guild('7')).toEqual({ id: '7', name: 'Harbour', icon: 'a1', online: 2, isAvailable: true })
})

test('a change differs from no change, and missing fields stay', () => {
  take('GUILD_CREATE', HARBOUR)
  expect([take('GUILD_UPDATE', { id: '7', name: 'Quay' }), take('GUILD_UPDATE', { id: '7', name: 'Quay' })]).toEqual([
    'changed',
    'unchanged',
  ])
  expect(cache.guild('7')).toMatchObject({ name: 'Quay', icon: 'a1', online: 2 })
  take('GUILD_UPDATE', { id: '7', icon: null })
  expect(cache.guild('7')).toMatchObject({ icon: null })
})

test('an unavailable guild stays cached, and is loaded when it returns; a left guild is deleted', () => {
  take('GUILD_CREATE', HARBOUR)
  expect(take('GUILD_DELETE', { id: '7', unavailable: true })).toBe('unavailable')
  expect([cache.guild('7')?.name, cache.guild('7')?.isAvailable]).toEqual(['Harbour', false])
  expect([take('GUILD_CREATE', HARBOUR), take('GUILD_DELETE', { id: '7' })]).toEqual(['loaded', 'left'])
  expect([cache.guild('7'), cache.guildCount, take('GUILD_CREATE', HARBOUR)]).toEqual([undefined, 0, 'joined'])
  expect(take('GUILD_CREATE', { id: '7', unavailable: true })).toBe('unavailable')
})

test('a new session resets it', () => {
  take('GUILD_CREATE', HARBOUR)
  cache.update('READY', { guilds: [{ id: '8' }] })
  expect([cache.guild('7'), cache.guild('8')?.id, cache.isOfApplication('7', '70', '1')]).toEqual([undefined, '8', false])
  take('RESUMED', {})
  expect(cache.guild('8')?.id).toBe('8')
})

describe('channels', () => {
  beforeEach(() => void take('GUILD_CREATE', HARBOUR))

  test('are known by the application that created them', () => {
    expect([cache.isOfApplication('7', '70', '1'), cache.isOfApplication('7', '70', '2'), cache.isOfApplication('8', '70', '1')]).toEqual([
      true,
      false,
      false,
    ])
    take('CHANNEL_DELETE', { id: '70', guild_id: '7' })
    expect(cache.isOfApplication('7', '70', '1')).toBe(false)
  })

  test('that are hidden change only with their position; becoming visible or hidden is a change', { tags: ['3-2', '6-2'] }, () => {
    const visible = { ...HIDDEN, name: 'general', flags: 0 }
    expect([
      take('CHANNEL_CREATE', HIDDEN),
      take('CHANNEL_UPDATE', { ...HIDDEN, permission_overwrites: [] }),
      take('CHANNEL_UPDATE', { ...HIDDEN, position: 4 }),
      take('CHANNEL_UPDATE', visible),
      take('CHANNEL_UPDATE', visible),
      take('CHANNEL_UPDATE', HIDDEN),
    ]).toEqual(['changed', 'unchanged', 'changed', 'changed', 'changed', 'changed'])
  })
})

test('guilds and channels are cached up to a limit', () => {
  for (let id = 100; id < 100 + BUDGETS.gatewayGuilds.value + 10; id++) take('GUILD_CREATE', { id: `${id}`, name: 'x' })
  expect(cache.guildCount).toBe(BUDGETS.gatewayGuilds.value)
  const channels = Array.from({ length: BUDGETS.gatewayChannels.value + 1 }, (_, index) => ({ id: `${index + 1}`, application_id: '1' }))
  take('GUILD_CREATE', { id: '7', name: 'Harbour', channels })
  expect([
    cache.isOfApplication('7', `${BUDGETS.gatewayChannels.value}`, '1'),
    cache.isOfApplication('7', `${BUDGETS.gatewayChannels.value + 1}`, '1'),
  ]).toEqual([true, false])
  take('GUILD_CREATE', { id: '7', name: 'Harbour', channels: channels.slice(-1) })
  expect(cache.isOfApplication('7', `${BUDGETS.gatewayChannels.value + 1}`, '1')).toBe(true)
})
