import { describe, expect, test } from 'vitest'
import { Account, NOBODY } from '../../../../daemon/src/sessions/local-user.ts'

const ANN = { id: '7', username: 'ann', discriminator: '0', avatar: null }
const BOB = { id: '8', username: 'bob', discriminator: '0', avatar: null }

describe('the user whom READY announces', () => {
  test('where nobody is known, is who uses the client, told when it changes', () => {
    const told: string[] = []
    const account = new Account(NOBODY, ({ username }) => told.push(username))
    expect(account.ofClient(ANN)).toBe(true)
    expect(account.ofClient({ ...ANN })).toBe(true)
    expect(account.ofClient(BOB)).toBe(true)
    expect(account.user).toBe(BOB)
    expect(told).toEqual(['ann', 'bob'])
  })

  test('is who signed in, whatever a client says after that', () => {
    const told: string[] = []
    const account = new Account(NOBODY, ({ username }) => told.push(username))
    account.ofClient(ANN)
    account.signedIn(BOB)
    expect(account.ofClient(ANN)).toBe(false)
    expect(account.user).toBe(BOB)
    expect(told).toEqual(['ann', 'bob'])
  })

  test('stays the one of a platform that has a user of its own', () => {
    const account = new Account(BOB, () => {})
    expect(account.ofClient(ANN)).toBe(false)
    expect(account.user).toBe(BOB)
  })
})
