/** Tests a game whose account is banned, or whose user removes it, on the real daemon and sandbox. */
import { describe, expect, test } from 'vitest'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, TARGETS } from './support/daemon.ts'
import { exchange, EXTERNAL, refusalOf, useDaemon } from './support/signed-in.ts'
import { RawClient } from './support/raw-client.ts'

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  useDaemon(target, (opened, inFolders) => {
    daemon = opened
    at = inFolders
  })

  const control = (name: string, body: object) =>
    fetch(`${daemon.origin}/sandbox/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  /** A game of ours that is linked, and one that knows nothing of contracts, with the same account. */
  async function linked(applicationId: string) {
    const game = await connectedGame({ applicationId, runtimeDir: at.runtime })
    await game.call('GET_PROVISIONAL_TOKEN', EXTERNAL)
    const tokens = await exchange(game, EXTERNAL)
    const { user, account_state } = await game.call('UPDATE_TOKEN', { access_token: tokens.access_token })
    expect(account_state).toBe('linked')
    const old = await RawClient.ready(daemon.socket, { client_id: applicationId })
    expect(await old.call('AUTHENTICATE', { access_token: tokens.access_token })).toMatchObject({ evt: null })
    const revoked = new Promise((resolve) => game.on('TOKEN_REVOKED', resolve))
    return { game, tokens, user, old, revoked }
  }

  test('a ban: the next call ends the sign-in; provisional goes on, merges wait until the ban is lifted', {
    tags: ['3-8', '3-9', '3-10', '7-1'],
  }, async () => {
    const applicationId = '888000401'
    const { game, user, old, revoked } = await linked(applicationId)
    expect((await control('ban', { user: 'ada' })).status).toBe(200)

    expect(await refusalOf(game.call('GET_CURRENT_USER'))).toMatchObject({ code: 4009 })
    expect(await revoked).toMatchObject({
      application_id: applicationId,
      user_id: user.id,
      cause: 'refresh_refused',
      account_state: 'unlinked',
      sign_in: ['provisional', 'oauth2'],
    })
    expect(await old.closeCode()).toBe(4003)
    // Nothing stored is left.
    expect(await refusalOf(game.call('AUTHENTICATE', {}))).toMatchObject({ code: 4009 })

    const provisional = await game.call('GET_PROVISIONAL_TOKEN', EXTERNAL)
    expect(provisional.account_state).toBe('provisional')
    const made = await game.call('UPDATE_TOKEN', { access_token: provisional.access_token })
    expect(made).toMatchObject({ account_state: 'provisional', user: { global_name: 'skipper' } })
    expect(made.user.id).not.toBe(user.id)

    const refused = { code: 5000, data: { platform_code: 530017, http_status: 400, account_state: 'restricted', sign_in: ['provisional'] } }
    expect(await refusalOf(exchange(game, EXTERNAL))).toMatchObject(refused)
    expect((await game.call('GET_PROVISIONAL_TOKEN', EXTERNAL)).account_state).toBe('restricted')
    // Without a merge, the code of a banned user is no good either.
    expect((await refusalOf(exchange(game))).message).toContain('invalid_grant')
    expect((await game.call('GET_CURRENT_USER')).id).toBe(made.user.id)

    expect((await control('unban', { user: 'ada' })).status).toBe(204)
    const merged = await exchange(game, EXTERNAL)
    const again = await game.call('UPDATE_TOKEN', { access_token: merged.access_token })
    expect(again).toMatchObject({ account_state: 'linked', user: { id: user.id } })
    // The provisional account was taken in: its stored token is gone, the linked one signs in.
    expect((await game.call('AUTHENTICATE', {})).user.id).toBe(user.id)
    await game.close()
  })

  test('the user removes the game: the next refresh ends the sign-in', { tags: ['3-13', '4.1-20', '5-26', '7-5'] }, async () => {
    const applicationId = '888000402'
    const { game, tokens, user, old, revoked } = await linked(applicationId)
    await control('deauthorize', { user: 'ada', application_id: applicationId })

    const refused = await refusalOf(game.call('REFRESH_TOKEN', { refresh_token: tokens.refresh_token ?? '' }))
    expect(refused).toMatchObject({ code: 5000 })
    expect(refused.message).toContain('invalid_grant')
    expect(await revoked).toMatchObject({ user_id: user.id, cause: 'refresh_refused', account_state: 'unlinked' })
    expect(await old.closeCode()).toBe(4003)
    expect(await refusalOf(game.call('AUTHENTICATE', {}))).toMatchObject({ code: 4009 })
    expect((await game.call('GET_PROVISIONAL_TOKEN', EXTERNAL)).account_state).toBe('provisional')
    await game.close()
  })

  test('a refresh token that was used before ends nothing', async () => {
    const { game, tokens } = await linked('888000403')
    await game.call('REFRESH_TOKEN', { refresh_token: tokens.refresh_token ?? '' })
    expect((await refusalOf(game.call('REFRESH_TOKEN', { refresh_token: tokens.refresh_token ?? '' }))).message).toContain('invalid_grant')
    expect((await game.call('AUTHENTICATE', {})).user.username).toBe('ada')
    await game.close()
  })

  test('an identity that is linked is sent to OAuth 2', async () => {
    const { game, user } = await linked('888000404')
    expect(await refusalOf(game.call('GET_PROVISIONAL_TOKEN', EXTERNAL))).toMatchObject({
      data: { platform_code: 530010, user_id: user.id, account_state: 'linked', sign_in: ['oauth2'] },
    })
    await game.close()
  })

  test('a child application ends with its parent, at once', { tags: ['5-19'] }, async () => {
    const CHILD = '888000406'
    const { game: parent, tokens } = await linked('888000405')
    await control('applications', { application_id: '888000405', publisher_linking: true })
    await control('applications', { application_id: CHILD, parent_application_id: '888000405' })
    const child = await connectedGame({ applicationId: CHILD, runtimeDir: at.runtime })
    const { access_token } = await parent.call('EXCHANGE_CHILD_TOKEN', {
      parent_token: tokens.access_token,
      child_application_id: CHILD,
    })
    expect((await child.call('UPDATE_TOKEN', { access_token })).account_state).toBe('child')
    const ended = new Promise((resolve) => child.on('TOKEN_REVOKED', resolve))
    // A refresh of the parent leaves it alone.
    const refreshed = await parent.call('REFRESH_TOKEN', { refresh_token: tokens.refresh_token ?? '' })
    expect((await child.call('GET_CURRENT_USER')).username).toBe('ada')
    await parent.call('REVOKE_TOKEN', { token: refreshed.access_token })
    expect(await ended).toMatchObject({ application_id: CHILD, cause: 'parent_ended', sign_in: ['parent_token'] })
    await Promise.all([parent.close(), child.close()])
  })
})
