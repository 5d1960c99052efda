/** Tests the states of an account on the real daemon: provisional, linked, unmerged; and a child application's token. */
import { describe, expect, test } from 'vitest'
import { setApplication } from './support/application-settings.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, TARGETS } from './support/daemon.ts'
import { exchange, EXTERNAL, refusalOf, useDaemon } from './support/signed-in.ts'

const APPLICATION = '888000222'
const CHILD = '888000333'
describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  useDaemon(target, (opened, inFolders) => {
    daemon = opened
    at = inFolders
  })

  const connect = (applicationId = APPLICATION) => connectedGame({ applicationId, runtimeDir: at.runtime })

  test('provisional, linked, parted', { tags: ['1-3'] }, async () => {
    const game = await connect()
    // A provisional account: kept, so that the program signs in without naming it.
    await game.call('GET_PROVISIONAL_TOKEN', EXTERNAL)
    const provisional = await game.call('AUTHENTICATE', {})
    expect(provisional.user.global_name).toBe('skipper')

    // The player links a full account; the connection moves over to it.
    const tokens = await exchange(game, EXTERNAL)
    const linked = await game.call('UPDATE_TOKEN', { access_token: tokens.access_token })
    expect(linked.user.username).toBe('ada')
    expect((await game.call('GET_CURRENT_USER')).id).toBe(linked.user.id)
    const refused = await refusalOf(game.call('GET_PROVISIONAL_TOKEN', EXTERNAL))
    expect(refused).toMatchObject({
      code: 5000,
      data: { platform_code: 530010, user_id: linked.user.id, provider_issued_user_id: 'skipper' },
    })
    const banned = await refusalOf(exchange(game, { ...EXTERNAL, external_auth_token: 'sandbox-external-banned' }))
    expect(banned).toMatchObject({ code: 5000, data: { platform_code: 530017, http_status: 400 } })

    // Parted again: what was stored and the sign-in are gone, and a new provisional account takes their place.
    const revoked = new Promise((resolve) => game.on('TOKEN_REVOKED', resolve))
    await game.call('UNMERGE_PROVISIONAL_ACCOUNT', EXTERNAL)
    expect(await revoked).toMatchObject({ user_id: linked.user.id })
    expect(await refusalOf(game.call('AUTHENTICATE', {}))).toMatchObject({ code: 4009 })
    await game.call('GET_PROVISIONAL_TOKEN', EXTERNAL)
    const again = await game.call('AUTHENTICATE', {})
    expect(again.user).toMatchObject({ global_name: 'skipper' })
    expect(again.user.id).not.toBe(provisional.user.id)
    await game.close()
  })

  test('a child application signs in with what it got for the token of its parent, until that is revoked', {
    tags: ['4.3-8'],
  }, async () => {
    await setApplication(daemon.origin, APPLICATION, { publisher_linking: true })
    await setApplication(daemon.origin, CHILD, { parent_application_id: APPLICATION })
    const [parent, child] = [await connect(), await connect(CHILD)]
    const tokens = await exchange(parent)
    const { access_token } = await child.call('EXCHANGE_CHILD_TOKEN', { parent_token: tokens.access_token, child_application_id: CHILD })
    const { user, application } = await child.call('UPDATE_TOKEN', { access_token })
    expect({ user: user.username, application: application.id }).toEqual({ user: 'ada', application: CHILD })
    await parent.call('REVOKE_TOKEN', { token: tokens.access_token })
    // Signed out with its parent, before any call of its own.
    expect(await refusalOf(child.call('GET_CURRENT_USER'))).toMatchObject({ code: 4006 })
    await Promise.all([parent.close(), child.close()])
  })
})
