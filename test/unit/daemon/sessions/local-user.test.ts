import { describe, expect, test } from 'vitest'
import { LocalUser, UNKNOWN_USER } from '#daemon/src/sessions/local-user.ts'

const ANN = { id: '7', username: 'ann', discriminator: '0', avatar: null }
const BOB = { id: '8', username: 'bob', discriminator: '0', avatar: null }

describe('the user in READY', () => {
  test('without a sign-in is the user of the desktop client, and reports changes', () => {
    const changes: string[] = []
    const user = new LocalUser(UNKNOWN_USER)
    user.changed.on(({ username }) => changes.push(username))
    expect(user.setFromClient(ANN)).toBe(true)
    expect(user.setFromClient({ ...ANN })).toBe(true)
    expect(user.setFromClient(BOB)).toBe(true)
    expect(user.user).toBe(BOB)
    expect(changes).toEqual(['ann', 'bob'])
  })

  test('is the signed-in user, even when the desktop client reports another', () => {
    const changes: string[] = []
    const user = new LocalUser(UNKNOWN_USER)
    user.changed.on(({ username }) => changes.push(username))
    user.setFromClient(ANN)
    user.signedIn(BOB)
    expect(user.setFromClient(ANN)).toBe(false)
    expect(user.user).toBe(BOB)
    expect(changes).toEqual(['ann', 'bob'])
  })

  test('stays the default user of a platform that has one', () => {
    const user = new LocalUser(BOB)
    expect(user.setFromClient(ANN)).toBe(false)
    expect(user.user).toBe(BOB)
  })
})
