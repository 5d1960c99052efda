/** The daemon is killed without a word in the middle of a match, and started again: the game is back as it was. */
import { createPkce, type SallyportClient } from '@sallyport/client'
import { DEFAULT_COMMUNICATION_SCOPES } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'

/** Longer than an access token lasts. */
const EIGHT_DAYS_MS = 691_200_000
const REDIRECT = 'http://127.0.0.1:5173/callback'

/** What a user of the sandbox allows at its page, to be exchanged with GET_TOKEN. */
async function codeOf(origin: string, applicationId: string, user: string) {
  const { verifier, challenge } = createPkce()
  const query = new URLSearchParams({
    client_id: applicationId,
    response_type: 'code',
    scope: 'identify',
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    login_hint: user,
  })
  const { headers } = await fetch(`${origin}/oauth2/authorize?${query.toString()}`, { redirect: 'manual' })
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  return { code, code_verifier: verifier, redirect_uri: REDIRECT }
}

describe.each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon

  beforeEach(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
  })
  afterEach(async () => {
    await daemon.stop()
    await at.remove()
  })

  test.each([
    ['a call', (client: SallyportClient) => client.call('GET_CURRENT_USER')],
    ['a sign-in', async (client: SallyportClient) => (await client.call('AUTHENTICATE', {})).user],
  ])('%s outlives a wrong system time, by which its token seems to last longer than it does', async (_, use) => {
    const client = await connectedGame({ applicationId: '555000114', runtimeDir: at.runtime, requireBridge: true })
    await client.askToSignIn({ scopes: ['identify'] })
    const { id } = await client.call('GET_CURRENT_USER')
    const moved = await fetch(`${daemon.origin}/sandbox/time`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_ms: EIGHT_DAYS_MS }),
    })
    expect(moved.status).toBe(200)
    expect(await use(client)).toMatchObject({ id })
    expect(client.account).toBe('signed-in')
    await client.close()
  })

  test.each(['json', 'msgpack'] as const)('signed in, subscribed and present again (%s)', async (encoding) => {
    const client = await connectedGame({ applicationId: '555000111', runtimeDir: at.runtime, encoding, requireBridge: true })
    await client.askToSignIn({ scopes: [...DEFAULT_COMMUNICATION_SCOPES] })
    const lobby = await client.call('CREATE_OR_JOIN_LOBBY', { secret: 'pier 7' })
    await client.call('SEND_LOBBY_MESSAGE', { lobby_id: lobby.id, content: 'before the break' })
    await client.setActivity({ details: 'Mending nets' })
    await client.on('AUTHORIZE_REQUEST', () => {}).active
    const back = new Promise<unknown>((resolve) => client.onState((state) => state.name === 'ready' && resolve(state)))

    await daemon.kill()
    daemon = await startDaemon(target, at)
    expect(daemon.ready.ipc).toEqual([daemon.socket])
    await back

    const messages = await client.call('GET_LOBBY_MESSAGES', { lobby_id: lobby.id })
    expect(messages.map((message) => message.content)).toEqual(['before the break'])
    expect(client.account).toBe('signed-in')
    const { games } = await client.call('GET_BRIDGE_STATUS')
    expect(games).toMatchObject([{ activity: expect.any(String) as string }])
    await client.close()
  })

  test('two copies of a game that play as two users come back as those two', async () => {
    const applicationId = '555000113'
    const copies = await Promise.all(
      ['ada', 'grace'].map(() => connectedGame({ applicationId, runtimeDir: at.runtime, requireBridge: true })),
    )
    // One after the other: the second sign-in is the newest there is.
    for (const [index, user] of ['ada', 'grace'].entries()) {
      await copies[index]?.call('GET_TOKEN', await codeOf(daemon.origin, applicationId, user))
      await copies[index]?.signInSilently()
    }
    const playing = () =>
      Promise.all(copies.map(async (copy) => [copy.currentUser?.username, (await copy.call('GET_CURRENT_USER')).username]))
    const before = await playing()
    expect(before).toEqual([
      ['ada', 'ada'],
      ['grace', 'grace'],
    ])
    const back = copies.map(
      (copy) => new Promise<void>((resolve) => copy.onState(({ name }) => (name === 'ready' ? resolve() : undefined))),
    )
    await daemon.kill()
    daemon = await startDaemon(target, at)
    await Promise.all(back)
    expect(await playing()).toEqual(before)
    for (const copy of copies) await copy.close()
  })

  test('calls under way are rejected, not left hanging', async () => {
    const client = await connectedGame({ applicationId: '555000112', runtimeDir: at.runtime })
    await client.askToSignIn({ scopes: ['identify'] })
    await fetch(`${daemon.origin}/sandbox/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ match: { path: '/users/@me' }, latency_ms: 20_000 }),
    })
    const pending = expect(client.call('GET_CURRENT_USER')).rejects.toMatchObject({ name: 'ConnectionLostError' })
    await daemon.kill()
    await pending
    await client.close()
    daemon = await startDaemon(target, at)
  })

  test('a grant is for the program that got it: the same application in another program causes a new prompt', async () => {
    const client = await connectedGame({ applicationId: '1000000000000000000', runtimeDir: at.runtime })
    await client.askToSignIn({ scopes: ['identify'] })
    await client.signInSilently()
    await client.close()
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'deny'])
    // It runs on the Node of these tests where the source tree is tested, and is another program all the same.
    const { code } = await sallyport(target, ['call', 'GET_CURRENT_USER', '--runtime-dir', at.runtime])
    expect(code).not.toBe(0)
  })
})
