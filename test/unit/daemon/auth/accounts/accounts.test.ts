/** The accounts around the state machine: states per application and user, and the effects on the dependencies. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountDeps, Accounts, type RevocationNotice } from '#daemon/src/auth/accounts/accounts.ts'
import { Secret } from '@sallyport/core/secret'
import { RecordingLog } from '#test/support/recording-log.ts'

const APP = '1234567890'
const USER = '42'

class Ports implements AccountDeps {
  readonly done: string[] = []
  readonly notices: RevocationNotice[] = []
  readonly kept = new Map<string, 'refreshable' | 'unrefreshable'>()
  isVaultBroken = false

  async deleteTokens(applicationId: string, userId: string): Promise<void> {
    this.done.push(`delete ${applicationId}:${userId}`)
    if (this.isVaultBroken) throw new Error('disk full')
    this.kept.delete(`${applicationId}:${userId}`)
  }
  endSessions(applicationId: string, userId: string, notice: RevocationNotice): void {
    this.done.push(`end ${applicationId}:${userId}`)
    this.notices.push(notice)
  }
  async stored(applicationId: string, userId: string): Promise<'refreshable' | 'unrefreshable' | undefined> {
    return this.kept.get(`${applicationId}:${userId}`)
  }
}

let ports: Ports
let log: RecordingLog
let accounts: Accounts
beforeEach(() => {
  ports = new Ports()
  log = new RecordingLog()
  accounts = new Accounts(ports, log)
})

test('an unknown account is unlinked', async () => {
  expect(await accounts.stateOf(APP, USER)).toBe('unlinked')
})

test.each([
  ['refreshable', 'linked'],
  ['unrefreshable', 'provisional'],
] as const)('with %s tokens stored from an earlier run it is %s', async (stored, state) => {
  ports.kept.set(`${APP}:${USER}`, stored)
  expect(await accounts.stateOf(APP, USER)).toBe(state)
})

test.each(['deauthorized', 'banned', 'refresh_refused', 'token_refused', 'revoked_by_user'] as const)(
  '%s: tokens are deleted first, then every session gets the cause, the state and the sign-in methods',
  async (event) => {
    await accounts.apply(APP, USER, 'code_exchanged')
    const { state } = await accounts.apply(APP, USER, event)
    expect(state).toBe('unlinked')
    expect(ports.done).toEqual([`delete ${APP}:${USER}`, `end ${APP}:${USER}`])
    expect(ports.notices).toEqual([
      { cause: event, accountState: 'unlinked', reason: expect.stringMatching(/\.$/), signIn: expect.arrayContaining(['provisional']) },
    ])
  },
)

test('an explicit reason replaces the default sentence', async () => {
  await accounts.apply(APP, USER, 'revoked_by_user', 'The user signed out.')
  expect(ports.notices[0]?.reason).toBe('The user signed out.')
})

test('accounts of other users and applications do not change', async () => {
  await accounts.apply(APP, USER, 'code_exchanged')
  await accounts.apply(APP, '43', 'code_exchanged')
  await accounts.apply('999', USER, 'code_exchanged')
  await accounts.apply(APP, USER, 'deauthorized')
  expect([await accounts.stateOf(APP, '43'), await accounts.stateOf('999', USER)]).toEqual(['linked', 'linked'])
  expect(ports.done).toHaveLength(2)
})

test('sessions are notified although the vault fails', async () => {
  await accounts.apply(APP, USER, 'code_exchanged')
  ports.isVaultBroken = true
  await expect(accounts.apply(APP, USER, 'revoked_by_game')).rejects.toThrow('disk full')
  expect(ports.notices).toHaveLength(1)
  expect(await accounts.stateOf(APP, USER)).toBe('unlinked')
})

test('events of any number of untracked accounts do not evict tracked ones', async () => {
  await accounts.apply(APP, USER, 'provisional_token')
  for (let stranger = 0; stranger <= 10_000; stranger++) await accounts.apply(APP, `9${stranger}`, 'deauthorized')
  expect(await accounts.stateOf(APP, USER)).toBe('provisional')
})

test('the states of a ban: linked, banned, provisional, merge refused, lifted, merged', async () => {
  const [linked, made] = ['1', '2']
  await accounts.apply(APP, linked, 'merged')
  await accounts.apply(APP, linked, 'banned')
  expect(await accounts.stateOf(APP, linked)).toBe('unlinked')
  await accounts.apply(APP, made, 'provisional_token')
  expect(await accounts.apply(APP, made, 'merge_refused_banned')).toEqual({ state: 'restricted', signIn: ['provisional'] })
  expect((await accounts.apply(APP, made, 'ban_lifted')).state).toBe('provisional')
  await accounts.apply(APP, made, 'absorbed')
  await accounts.apply(APP, linked, 'merged')
  expect([await accounts.stateOf(APP, linked), await accounts.stateOf(APP, made)]).toEqual(['linked', 'unlinked'])
  expect(ports.notices.map(({ cause }) => cause)).toEqual(['banned'])
})

test('an invalid event changes nothing and is logged', async () => {
  expect(await accounts.apply(APP, USER, 'parent_ended')).toEqual({ state: 'unlinked', signIn: [] })
  expect(ports.done).toEqual([])
  expect(log.text).toContain('account-event-unexpected')
})

describe('a child application', () => {
  const TOKEN = new Secret('child-token')

  test('is recognised by the token that was exchanged here, and ends with its parent', async () => {
    await accounts.apply(APP, USER, 'code_exchanged')
    accounts.childTokenIssued(TOKEN, APP)
    expect((await accounts.tokenAccepted('555', USER, TOKEN)).state).toBe('child')
    await accounts.apply(APP, USER, 'refreshed')
    expect(await accounts.stateOf('555', USER)).toBe('child')
    await accounts.apply(APP, USER, 'revoked_by_game')
    expect(ports.done).toEqual([`delete ${APP}:${USER}`, `end ${APP}:${USER}`, `delete 555:${USER}`, `end 555:${USER}`])
    expect(ports.notices[1]).toMatchObject({ cause: 'parent_ended', accountState: 'unlinked', signIn: ['parent_token'] })
  })

  test('of another user or parent goes on', async () => {
    accounts.childTokenIssued(TOKEN, APP)
    await accounts.tokenAccepted('555', '43', TOKEN)
    accounts.childTokenIssued(new Secret('other'), '777')
    await accounts.tokenAccepted('556', USER, new Secret('other'))
    await accounts.apply(APP, USER, 'revoked_by_game')
    expect([await accounts.stateOf('555', '43'), await accounts.stateOf('556', USER)]).toEqual(['child', 'child'])
  })

  test('with any other token is linked as usual', async () => {
    accounts.childTokenIssued(TOKEN, APP)
    expect((await accounts.tokenAccepted('555', USER, new Secret('its own'))).state).toBe('linked')
  })
})

test('no token reaches the log', async () => {
  accounts.childTokenIssued(new Secret('planted-child-token'), APP)
  await accounts.tokenAccepted('555', USER, new Secret('planted-child-token'))
  await accounts.apply('555', USER, 'deauthorized')
  expect(log.text).not.toContain('planted-child-token')
})
