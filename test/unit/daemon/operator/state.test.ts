import { BUDGETS } from '@sallyport/core/budgets'
import { BridgeError } from '@sallyport/core/errors'
import { describe, expect, test } from 'vitest'
import { createPromptLimits } from '#daemon/src/auth/consent/prompt-limits.ts'
import { ConsentPrompts } from '#daemon/src/auth/consent/consent-prompts.ts'
import { bridgeState, type StateParts, statusFor } from '#daemon/src/operator/state.ts'
import { StoredSignIns } from '#daemon/src/operator/stored-sign-ins.ts'
import { activityMessage, idAt } from '#test/support/activity-messages.ts'
import { Game, KNOWN_PROGRAM, testBridge } from '#test/support/bridge.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const GAME = '1234567890'

function start() {
  const clock = new FakeClock()
  const bridge = testBridge({ clock })
  const { registry, hub, tokenStore, grants, log, pages, warnings, presence } = bridge
  const prompts = new ConsentPrompts({
    clock,
    log,
    newId: () => 'q1',
    limits: createPromptLimits({ clock, isKnown: () => true, charge: () => () => {} }),
    displays: [],
    isListShown: true,
  })
  const signIns = new StoredSignIns({ tokenStore, botTokens: { list: async () => [] }, clock, log })
  const parts: StateParts = {
    facts: { version: '1', contract: '1.0', platform: 'test', pid: 1, started_at: 1, peers: { state: 'held' } },
    addresses: () => [],
    tcpPeers: { areKnown: true },
    clock,
    startedAt: 0,
    sessions: registry,
    subscriptions: hub,
    arbiter: presence,
    outbound: { shownOn: () => [] },
    clients: () => [],
    userOf: () => undefined,
    applications: { of: () => ({ name: undefined, icon: undefined }), imageOf: () => undefined },
    presenceFeed: () => undefined,
    grants,
    prompts,
    pages,
    invites: bridge.invites,
    signIns,
    providers: () => bridge.providers.health(),
    warnings,
    dataProblems: () => [],
    findings: () => [],
    counters: () => ({ connections: 0, calls: 0 }),
  }
  return { ...bridge, clock, prompts, signIns, parts, state: () => bridgeState(parts) }
}

test('the uptime is monotonic', () => {
  const { clock, state } = start()
  clock.advance(5_999)
  clock.setBack(3_600_000)
  expect(state().uptime_s).toBe(5)
})

test('says why there are no accounts while the vault is closed, and keeps to the rest', async () => {
  const { tokenStore, signIns, state } = start()
  expect(state()).toMatchObject({ accounts: [], vault_problem: expect.stringContaining('not open yet') as string })
  await signIns.open()
  expect(state()).not.toHaveProperty('vault_problem')
  // What was asked for meanwhile is read first.
  await settled()
  tokenStore.list = () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'The keychain is locked.'))
  await signIns.open()
  expect(state()).toMatchObject({ accounts: [], vault_problem: 'The keychain is locked.', platform: 'test' })
})

test('an invite shows the activity and the cover that its sender set', () => {
  const { invites, parts, clock } = start()
  const shown = { name: 'Night fishing', type: 5, details: 'On the pier', assets: { invite_cover_image: 'a-cover' } }
  const activity = { type: 1, party_id: 'pier', session_id: 'session-of-the-host', shown }
  const at = clock.now()
  invites.onMessage({ applicationId: GAME, userId: '1' }, activityMessage(1, { at, from: '5', activity }))
  invites.onMessage({ applicationId: GAME, userId: '1' }, activityMessage(1, { at, place: 1, from: '5' }))
  const { invites: rows } = bridgeState(parts)
  expect(rows).toMatchObject([
    { user_id: '1', sender: 'user 5', activity: { name: 'Night fishing', type: 5, details: 'On the pier' }, cover: 'a-cover' },
    { user_id: '1', sender: 'user 5', activity: { type: 0 } },
  ])
  expect(JSON.stringify(rows)).not.toContain('session-of-the-host')
})

test('shows who is invited by whom to which game, and nothing to join by', () => {
  const { invites, clock, parts } = start()
  const application = { id: '42', name: 'Harbour' }
  invites.onMessage(
    { applicationId: '42', userId: '1' },
    activityMessage(1, { at: clock.now(), from: '5', application_id: '42', application }),
  )
  expect(bridgeState(parts).invites).toEqual([
    { id: idAt(clock.now()), application_id: '42', application_name: 'Harbour', user_id: '1', sender: 'user 5', activity: { type: 0 } },
  ])
})

test('a prompt without a user names no user', async () => {
  const { prompts, state } = start()
  const request = {
    program: { kind: 'native', uid: 1, executable: '/games/one', file: 'f' },
    pid: 7,
    connection: 1,
    applicationId: '42',
    applicationName: undefined,
    userId: undefined,
    username: undefined,
    scopes: ['identify'],
    reason: 'new-program',
  } as const
  const left = new AbortController()
  const asked = prompts.ask(request, left.signal).catch(() => undefined)
  expect(state().prompts[0]).toMatchObject({
    id: 'q1',
    lines: [
      { label: 'Application', text: '42' },
      { label: 'Account', text: 'the user who is signed in on the platform' },
      { label: 'May do', text: 'identify' },
      { label: 'Why' },
      { label: 'Process', text: '7' },
      { label: 'Program', text: '/games/one' },
    ],
  })
  left.abort()
  await asked
})

test('shows what each user of a game shows, by name', async () => {
  const made = start()
  const games = ['80351110224678912', '197038439483310086'].map((userId) => ({ userId, game: Game.connected(made, { streams: true }) }))
  for (const { userId, game } of games) {
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify'], { userId }) })
    game.call('SET_ACTIVITY', { pid: 1, activity: { details: `of ${userId}`, secrets: { join: 'planted' } } })
  }
  Game.connected(made, { client_id: '42' }).call('SET_ACTIVITY', { pid: 1, activity: { details: 'of no user' } })
  const { presences } = made.state()
  expect(presences).toMatchObject([
    ...games.map(({ userId }) => ({ details: `of ${userId}`, username: expect.any(String) as string })),
    { application_id: '42', details: 'of no user' },
  ])
  expect(presences[2]).not.toHaveProperty('username')
  expect(JSON.stringify(presences)).not.toContain('planted')
})

test('each list is bounded, and says how much is left out', () => {
  const made = start()
  for (let n = 0; n < BUDGETS.stateRows.value + 2; n++) Game.connected(made, { client_id: String(100 + n) })
  const { games, omitted } = made.state()
  expect(games).toHaveLength(BUDGETS.stateRows.value)
  expect(omitted).toEqual({ games: 2 })
})

describe('warnings', () => {
  test('hold for their time, and say what to do', () => {
    const { warnings, clock, state } = start()
    const ends_at = clock.now() + 1000
    warnings.raise('lobbies', { kind: 'development_limit', applicationId: '42', message: 'Half of the lobbies are made.', endsAt: ends_at })
    expect(state().warnings).toEqual([
      {
        kind: 'development_limit',
        application_id: '42',
        message: 'Half of the lobbies are made.',
        advice: expect.stringContaining('approve') as string,
        ends_at,
      },
    ])
    clock.advance(1000)
    expect(state().warnings).toEqual([])
  })

  test('name what the platform would have refused', () => {
    const { parts } = start()
    const finding = {
      applicationId: '42',
      rule: 'scope-approval',
      count: 2,
      message: 'It asked for \u202erpc.',
      remedy: 'Ask for an approval.',
    }
    expect(bridgeState({ ...parts, findings: () => [finding] }).warnings).toEqual([
      {
        kind: 'sandbox_finding',
        application_id: '42',
        message: String.raw`It asked for \u{202e}rpc.`,
        advice: 'Ask for an approval.',
      },
    ])
  })

  test('name a provider while it fails, and no other', () => {
    const { parts } = start()
    const gateway = { name: 'gateway', state: 'failing', reason: 'It refused the \u202etoken.', ignored: 3 } as const
    const { providers, warnings } = bridgeState({ ...parts, providers: () => [gateway, { name: 'desktop-client', state: 'unavailable' }] })
    const reason = String.raw`It refused the \u{202e}token.`
    expect(providers).toEqual([
      { ...gateway, reason },
      { name: 'desktop-client', state: 'unavailable' },
    ])
    expect(warnings).toEqual([
      {
        kind: 'provider_failing',
        message: `The provider gateway does not work now: ${reason}`,
        advice: expect.stringContaining('sallyport login --bot') as string,
      },
    ])
  })
})

test('a game learns of itself alone: no other game, user, prompt, grant, or pause', async () => {
  const made = start()
  const { parts, registry, warnings, clock } = made
  const own = Game.connected(made, { client_id: '42' }, { ...KNOWN_PROGRAM, pid: 7 })
  await own.ask('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
  Game.connected(made, { client_id: '43' })
  const endsAt = clock.now() + 1000
  warnings.raise('42', { kind: 'development_limit', applicationId: '42', message: 'Of 42.', endsAt })
  warnings.raise('43', { kind: 'development_limit', applicationId: '43', message: 'Of 43.', endsAt })
  warnings.raise('all', { kind: 'invalid_requests', message: 'Of all.', endsAt })
  const [session] = registry.of('42')
  const status = statusFor(session as NonNullable<typeof session>, parts)
  expect(Object.keys(status)).toEqual(['version', 'contract', 'platform', 'pid', 'uptime_s', 'games', 'providers', 'warnings'])
  expect(status.games).toMatchObject([{ application_id: '42', pid: 7, subscriptions: ['ACTIVITY_JOIN'] }])
  expect(status.warnings.map(({ message }) => message)).toEqual(['Of 42.', 'Of all.'])
  expect(JSON.stringify(status)).not.toContain('43')
})
