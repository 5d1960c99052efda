import { expect, test } from 'vitest'
import { clientUser } from '#daemon/src/events/providers/desktop/client-user.ts'

test('missing fields of a user get defaults', () => {
  expect(clientUser({ id: '7', username: 'ann', avatar: 'a', premium_type: 2, secret: 'x' })).toEqual({
    id: '7',
    username: 'ann',
    discriminator: '0',
    avatar: 'a',
    global_name: null,
    bot: false,
    flags: 0,
    premium_type: 2,
  })
})

test.each([[undefined], [null], [7], [[]], [{}], [{ id: 7, username: 'ann' }], [{ id: 'x', username: 'ann' }], [{ id: '7' }]])(
  '%j is not a user',
  (value) => {
    expect(clientUser(value)).toBe(undefined)
  },
)

test('long names are cut', () => {
  expect(clientUser({ id: '7', username: 'x'.repeat(5000), discriminator: 5, flags: '1' })).toMatchObject({
    username: 'x'.repeat(128),
    discriminator: '0',
    flags: 0,
  })
})
