/** The shell around the account machine: states per application and user, duties carried out through ports. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountPorts, Accounts, type EndNotice } from '../../../../../daemon/src/auth/accounts/accounts.ts'
import { Secret } from '@sallyport/core/secret'
import { RecordingLog } from '../../../../support/recording-log.ts'

const APP = '1234567890'
const USER = '42'

class Ports implements AccountPorts {
  readonly done: string[] = []
  readonly notices: EndNotice[] = []
  readonly kept = new Map<string, 'refreshable' | 'unrefreshable'>()
  isVaultBroken = false

  async deleteTokens(applicationId: string, userId: string): Promise<void> {
    this.done.push(`delete ${applicationId}:${userId}`)
    if (this.isVaultBroken) throw new Error('disk full')
    this.kept.delete(`${applicationId}:${userId}`)
  }
  endSessions(applicationId: string, userId: string, notice: EndNotice): void {
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

test('an account that was never heard of is unlinked', async () => {
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
  '%s: tokens go first, then every session is told the cause, the state and the way in',
  async (event) => {
    await accounts.note(APP, USER, 'code_exchanged')
    const { state } = await accounts.note(APP, USER, event)
    expect(state).toBe('unlinked')
    expect(ports.done).toEqual([`delete ${APP}:${USER}`, `end ${APP}:${USER}`])
    expect(ports.notices).toEqual([
      { cause: event, accountState: 'unlinked', reason: expect.stringMatching(/\.$/), signIn: expect.arrayContaining(['provisional']) },
    ])
  },
)

test('a reason that is given takes the place of the usual sentence', async () => {
  await accounts.note(APP, USER, 'revoked_by_user', 'The user signed out.')
  expect(ports.notices[0]?.reason).toBe('The user signed out.')
})

test('accounts of other users and applications are left alone', async () => {
  await accounts.note(APP, USER, 'code_exchanged')
  await accounts.note(APP, '43', 'code_exchanged')
  await accounts.note('999', USER, 'code_exchanged')
  await accounts.note(APP, USER, 'deauthorized')
  expect([await accounts.stateOf(APP, '43'), await accounts.stateOf('999', USER)]).toEqual(['linked', 'linked'])
  expect(ports.done).toHaveLength(2)
})

test('a vault that fails does not keep the sessions from being told', async () => {
  await accounts.note(APP, USER, 'code_exchanged')
  ports.isVaultBroken = true
  await expect(accounts.note(APP, USER, 'revoked_by_game')).rejects.toThrow('disk full')
  expect(ports.notices).toHaveLength(1)
  expect(await accounts.stateOf(APP, USER)).toBe('unlinked')
})

test('the ends of accounts that were never here, however many, do not push out those that are', async () => {
  await accounts.note(APP, USER, 'provisional_token')
  for (let stranger = 0; stranger <= 10_000; stranger++) await accounts.note(APP, `9${stranger}`, 'deauthorized')
  expect(await accounts.stateOf(APP, USER)).toBe('provisional')
})

test('the way through a ban: linked, banned, provisional, merge refused, lifted, merged', async () => {
  const [linked, made] = ['1', '2']
  await accounts.note(APP, linked, 'merged')
  await accounts.note(APP, linked, 'banned')
  expect(await accounts.stateOf(APP, linked)).toBe('unlinked')
  await accounts.note(APP, made, 'provisional_token')
  expect(await accounts.note(APP, made, 'merge_refused_banned')).toEqual({ state: 'restricted', signIn: ['provisional'] })
  expect((await accounts.note(APP, made, 'ban_lifted')).state).toBe('provisional')
  await accounts.note(APP, made, 'absorbed')
  await accounts.note(APP, linked, 'merged')
  expect([await accounts.stateOf(APP, linked), await accounts.stateOf(APP, made)]).toEqual(['linked', 'unlinked'])
  expect(ports.notices.map(({ cause }) => cause)).toEqual(['banned'])
})

test('an event that cannot follow changes nothing and is logged', async () => {
  expect(await accounts.note(APP, USER, 'parent_ended')).toEqual({ state: 'unlinked', signIn: [] })
  expect(ports.done).toEqual([])
  expect(log.text).toContain('account-event-unexpected')
})

describe('a child application', () => {
  const TOKEN = new Secret('child-token')

  test('is known by the token that was exchanged here, and ends with its parent', async () => {
    await accounts.note(APP, USER, 'code_exchanged')
    accounts.childIssued(TOKEN, APP)
    expect((await accounts.accepted('555', USER, TOKEN)).state).toBe('child')
    await accounts.note(APP, USER, 'refreshed')
    expect(await accounts.stateOf('555', USER)).toBe('child')
    await accounts.note(APP, USER, 'revoked_by_game')
    expect(ports.done).toEqual([`delete ${APP}:${USER}`, `end ${APP}:${USER}`, `delete 555:${USER}`, `end 555:${USER}`])
    expect(ports.notices[1]).toMatchObject({ cause: 'parent_ended', accountState: 'unlinked', signIn: ['parent_token'] })
  })

  test('of another user or parent goes on', async () => {
    accounts.childIssued(TOKEN, APP)
    await accounts.accepted('555', '43', TOKEN)
    accounts.childIssued(new Secret('other'), '777')
    await accounts.accepted('556', USER, new Secret('other'))
    await accounts.note(APP, USER, 'revoked_by_game')
    expect([await accounts.stateOf('555', '43'), await accounts.stateOf('556', USER)]).toEqual(['child', 'child'])
  })

  test('with any other token is linked as usual', async () => {
    accounts.childIssued(TOKEN, APP)
    expect((await accounts.accepted('555', USER, new Secret('its own'))).state).toBe('linked')
  })
})

test('no token reaches the log', async () => {
  accounts.childIssued(new Secret('planted-child-token'), APP)
  await accounts.accepted('555', USER, new Secret('planted-child-token'))
  await accounts.note('555', USER, 'deauthorized')
  expect(log.text).not.toContain('planted-child-token')
})
