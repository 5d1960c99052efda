/** Permission bits have the platform's numbers, and rows require the current permissions. */
import { ENDPOINTS, type EndpointRow, PERMISSIONS, type PermissionName } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

describe('a permission', () => {
  it.each<[PermissionName, bigint]>([
    ['KICK_MEMBERS', 1n],
    ['BAN_MEMBERS', 2n],
    ['MANAGE_CHANNELS', 4n],
    ['MANAGE_GUILD', 5n],
    ['ADD_REACTIONS', 6n],
    ['VIEW_CHANNEL', 10n],
    ['MANAGE_MESSAGES', 13n],
    ['READ_MESSAGE_HISTORY', 16n],
    ['MUTE_MEMBERS', 22n],
    ['DEAFEN_MEMBERS', 23n],
    ['MOVE_MEMBERS', 24n],
    ['MANAGE_NICKNAMES', 27n],
    ['MANAGE_EVENTS', 33n],
    ['MODERATE_MEMBERS', 40n],
    ['CREATE_GUILD_EXPRESSIONS', 43n],
    ['CREATE_EVENTS', 44n],
    ['SET_VOICE_CHANNEL_STATUS', 48n],
    ['USE_EXTERNAL_APPS', 50n],
    ['PIN_MESSAGES', 51n],
    ['BYPASS_SLOWMODE', 52n],
  ])('%s is 1 << %i', { tags: ['4.1-14', '9.2-3', '9.2-5', '9.2-7', '9.2-8', '9.2-17', '4.1-15'] }, (name, shift) => {
    expect(PERMISSIONS[name].bit).toBe(1n << shift)
  })

  it('has a unique bit', () => {
    const bits = Object.values(PERMISSIONS).map(({ bit }) => bit)
    expect(new Set(bits).size).toBe(bits.length)
    for (const bit of bits) expect(bit & (bit - 1n)).toBe(0n)
  })
})

it('pinning requires only PIN_MESSAGES, also on the earlier routes', { tags: ['9.2-3'] }, () => {
  const rows = Object.values<EndpointRow>(ENDPOINTS).filter(({ method, path }) => method !== 'GET' && path.includes('/pins/'))
  expect(rows.map(({ name }) => name)).toEqual(['PIN_MESSAGE', 'PIN_MESSAGE_DEPRECATED', 'UNPIN_MESSAGE', 'UNPIN_MESSAGE_DEPRECATED'])
  for (const { permissions } of rows) expect(permissions).toEqual(['PIN_MESSAGES'])
})
