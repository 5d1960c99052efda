/** The accounts around the state machine: states per application and user, and the effects on the dependencies. */
import { type AccountKey, accountText } from '@sallyport/core/account-key'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountDeps, Accounts, type RevocationNotice } from '#daemon/src/auth/accounts/accounts.ts'
import { Secret } from '@sallyport/core/secret'
import { RecordingLog } from '#test/support/recording-log.ts'

const APP = '1234567890'
const USER = '42'
const ACCOUNT: AccountKey = { applicationId: APP, userId: USER }

class Ports implements AccountDeps {
  readonly done: string[] = []
  readonly notices: RevocationNotice[] = []
  readonly kept = new Map<string, 'refreshable' | 'unrefreshable'>()
  isVaultBroken = false

  async deleteTokens(account: AccountKey): Promise<void> {
    this.done.push(`delete ${accountText(account)}`)
    if (this.isVaultBroken) throw new Error('disk full')
    this.kept.delete(accountText(account))
  }
  endSessions(account: AccountKey, notice: RevocationNotice): void {
    this.done.push(`end ${accountText(account)}`)
    this.notices.push(notice)
  }
  async stored(account: AccountKey): Promise<'refreshable' | 'unrefreshable' | undefined> {
    return this.kept.get(accountText(account))
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
  expect(await accounts.stateOf(ACCOUNT)).toBe('unlinked')
})

test.each([
  ['refreshable', 'linked'],
  ['unrefreshable', 'provisional'],
] as const)('with %s tokens stored from an earlier run it is %s', { tags: ['5-16'] }, async (stored, state) => {
  ports.kept.set(`${APP}:${USER}`, stored)
  expect(await accounts.stateOf(ACCOUNT)).toBe(state)
})

test.each(['deauthorized', 'banned', 'refresh_refused', 'token_refused', 'revoked_by_user'] as const)(
  '%s: tokens are deleted first, then every session gets the cause, the state and the sign-in methods',
  async (event) => {
    await accounts.apply(ACCOUNT, 'code_exchanged')
    const { state } = await accounts.apply(ACCOUNT, event)
    expect(state).toBe('unlinked')
    expect(ports.done).toEqual([`delete ${APP}:${USER}`, `end ${APP}:${USER}`])
    expect(ports.notices).toEqual([
      { cause: event, accountState: 'unlinked', reason: expect.stringMatching(/\.$/), signIn: expect.arrayContaining(['provisional']) },
    ])
  },
)

test('an explicit reason replaces the default sentence', async () => {
  await accounts.apply(ACCOUNT, 'revoked_by_user', 'The user signed out.')
  expect(ports.notices[0]?.reason).toBe('The user signed out.')
})

test('accounts of other users and applications do not change', async () => {
  await accounts.apply(ACCOUNT, 'code_exchanged')
  await accounts.apply({ ...ACCOUNT, userId: '43' }, 'code_exchanged')
  await accounts.apply({ ...ACCOUNT, applicationId: '999' }, 'code_exchanged')
  await accounts.apply(ACCOUNT, 'deauthorized')
  expect([await accounts.stateOf({ ...ACCOUNT, userId: '43' }), await accounts.stateOf({ ...ACCOUNT, applicationId: '999' })]).toEqual([
    'linked',
    'linked',
  ])
  expect(ports.done).toHaveLength(2)
})

test('sessions are notified although the vault fails', async () => {
  await accounts.apply(ACCOUNT, 'code_exchanged')
  ports.isVaultBroken = true
  await expect(accounts.apply(ACCOUNT, 'revoked_by_game')).rejects.toThrow('disk full')
  expect(ports.notices).toHaveLength(1)
  expect(await accounts.stateOf(ACCOUNT)).toBe('unlinked')
})

test('events of any number of untracked accounts do not evict tracked ones', async () => {
  await accounts.apply(ACCOUNT, 'provisional_token')
  for (let user = 0; user <= 10_000; user++) await accounts.apply({ ...ACCOUNT, userId: `9${user}` }, 'deauthorized')
  expect(await accounts.stateOf(ACCOUNT)).toBe('provisional')
})

test('the states of a ban: linked, banned, provisional, merge refused, lifted, merged', async () => {
  const [linked, made] = ['1', '2']
  await accounts.apply({ ...ACCOUNT, userId: linked }, 'merged')
  await accounts.apply({ ...ACCOUNT, userId: linked }, 'banned')
  expect(await accounts.stateOf({ ...ACCOUNT, userId: linked })).toBe('unlinked')
  await accounts.apply({ ...ACCOUNT, userId: made }, 'provisional_token')
  expect(await accounts.apply({ ...ACCOUNT, userId: made }, 'merge_refused_banned')).toEqual({
    state: 'restricted',
    signIn: ['provisional'],
  })
  expect((await accounts.apply({ ...ACCOUNT, userId: made }, 'ban_lifted')).state).toBe('provisional')
  await accounts.apply({ ...ACCOUNT, userId: made }, 'absorbed')
  await accounts.apply({ ...ACCOUNT, userId: linked }, 'merged')
  expect([await accounts.stateOf({ ...ACCOUNT, userId: linked }), await accounts.stateOf({ ...ACCOUNT, userId: made })]).toEqual([
    'linked',
    'unlinked',
  ])
  expect(ports.notices.map(({ cause }) => cause)).toEqual(['banned'])
})

test('a provisional account ends with its token, and goes on with a fresh one of its provider', { tags: ['5-16'] }, async () => {
  ports.kept.set(`${APP}:${USER}`, 'unrefreshable')
  expect(await accounts.apply(ACCOUNT, 'token_expired')).toEqual({ state: 'expired', signIn: ['provisional'] })
  expect(ports.done).toEqual([`delete ${APP}:${USER}`, `end ${APP}:${USER}`])
  expect(ports.notices).toMatchObject([{ cause: 'token_expired', accountState: 'expired', signIn: ['provisional'] }])
  expect((await accounts.apply(ACCOUNT, 'provisional_token')).state).toBe('provisional')
  expect((await accounts.tokenAccepted(ACCOUNT, new Secret('fresh'))).state).toBe('provisional')
})

test('an invalid event changes nothing and is logged', async () => {
  expect(await accounts.apply(ACCOUNT, 'parent_ended')).toEqual({ state: 'unlinked', signIn: [] })
  expect(ports.done).toEqual([])
  expect(log.text).toContain('account-event-unexpected')
})

describe('a child application', () => {
  const TOKEN = new Secret('child-token')

  test('is recognised by the token that was exchanged here, and ends with its parent', async () => {
    await accounts.apply(ACCOUNT, 'code_exchanged')
    accounts.childTokenIssued(TOKEN, APP)
    expect((await accounts.tokenAccepted({ ...ACCOUNT, applicationId: '555' }, TOKEN)).state).toBe('child')
    await accounts.apply(ACCOUNT, 'refreshed')
    expect(await accounts.stateOf({ ...ACCOUNT, applicationId: '555' })).toBe('child')
    await accounts.apply(ACCOUNT, 'revoked_by_game')
    expect(ports.done).toEqual([`delete ${APP}:${USER}`, `end ${APP}:${USER}`, `delete 555:${USER}`, `end 555:${USER}`])
    expect(ports.notices[1]).toMatchObject({ cause: 'parent_ended', accountState: 'unlinked', signIn: ['parent_token'] })
  })

  test('of another user or parent goes on', { tags: ['5-19'] }, async () => {
    accounts.childTokenIssued(TOKEN, APP)
    await accounts.tokenAccepted({ applicationId: '555', userId: '43' }, TOKEN)
    accounts.childTokenIssued(new Secret('other'), '777')
    await accounts.tokenAccepted({ ...ACCOUNT, applicationId: '556' }, new Secret('other'))
    await accounts.apply(ACCOUNT, 'revoked_by_game')
    expect([
      await accounts.stateOf({ applicationId: '555', userId: '43' }),
      await accounts.stateOf({ ...ACCOUNT, applicationId: '556' }),
    ]).toEqual(['child', 'child'])
  })

  test('with any other token is linked as usual', async () => {
    accounts.childTokenIssued(TOKEN, APP)
    expect((await accounts.tokenAccepted({ ...ACCOUNT, applicationId: '555' }, new Secret('its own'))).state).toBe('linked')
  })
})

test('no token reaches the log', async () => {
  accounts.childTokenIssued(new Secret('planted-child-token'), APP)
  await accounts.tokenAccepted({ ...ACCOUNT, applicationId: '555' }, new Secret('planted-child-token'))
  await accounts.apply({ ...ACCOUNT, applicationId: '555' }, 'deauthorized')
  expect(log.text).not.toContain('planted-child-token')
})
