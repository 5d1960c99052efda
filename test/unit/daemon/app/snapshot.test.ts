import { expect, test } from 'vitest'
import { bridgeSnapshot, type SnapshotParts } from '#daemon/src/app/snapshot.ts'
import { BridgeError } from '@sallyport/core/errors'
import { AuthorizationPages } from '#daemon/src/admin/authorization-pages.ts'
import { createPromptLimits } from '#daemon/src/auth/consent/prompt-limits.ts'
import { ConsentPrompts } from '#daemon/src/auth/consent/consent-prompts.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import { activityMessage, idAt } from '#test/support/activity-messages.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

function start() {
  const bridge = testBridge()
  const { registry, hub, presenceStore, tokenStore, grants, clock, log } = bridge
  const questions = new ConsentPrompts({
    clock,
    log,
    newId: () => 'q1',
    limits: createPromptLimits({ clock, isKnown: () => true, charge: () => () => {} }),
    displays: [],
    isListShown: true,
  })
  const parts: SnapshotParts = {
    version: '1',
    platform: 'test',
    ready: { ipc: [] },
    sandboxOrigin: undefined,
    clock,
    registry,
    hub,
    presenceStore,
    tokenStore,
    grants,
    prompts: questions,
    pages: new AuthorizationPages(),
    invites: bridge.invites,
    providers: bridge.providers,
    warnings: new Warnings(clock, log),
    counters: { connections: 0, calls: 0 },
    isPresencePaused: () => bridge.presence.isPaused,
  }
  return { ...bridge, questions, parts }
}

test('says why there are no accounts while the vault is closed, and keeps to the rest', async () => {
  const { tokenStore, parts } = start()
  expect(await bridgeSnapshot(parts)).toMatchObject({ accounts: [], vaultProblem: null })
  tokenStore.list = () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'The keychain is locked.'))
  expect(await bridgeSnapshot(parts)).toMatchObject({ accounts: [], vaultProblem: 'The keychain is locked.', platform: 'test' })
  tokenStore.list = () => Promise.reject(new TypeError('a bug'))
  await expect(bridgeSnapshot(parts)).rejects.toThrow('a bug')
})

test('does not wait for a vault whose owner is being asked to unlock it', async () => {
  const { tokenStore, parts } = start()
  const clock = new FakeClock()
  tokenStore.list = () => new Promise(() => {})
  const snapshot = bridgeSnapshot({ ...parts, clock })
  clock.advance(1_000)
  expect(await snapshot).toMatchObject({ accounts: [], vaultProblem: expect.stringContaining('keychain'), platform: 'test' })
  expect(clock.pending).toBe(0)
})

test('an invite shows the activity and the cover that its sender set', async () => {
  const { invites, parts } = start()
  const shown = { name: 'Night fishing', type: 5, details: 'On the pier', assets: { invite_cover_image: 'a-cover' } }
  const activity = { type: 1, party_id: 'pier', session_id: 'session-of-the-host', shown }
  const at = parts.clock.now()
  invites.onMessage({ applicationId: '1234567890', userId: '1' }, activityMessage(1, { at, from: '5', activity }))
  invites.onMessage({ applicationId: '1234567890', userId: '1' }, activityMessage(1, { at, place: 1, from: '5' }))
  expect((await bridgeSnapshot(parts)).invites).toMatchObject([
    { userId: '1', from: 'user 5', activity: { name: 'Night fishing', type: 5, details: 'On the pier' }, cover: 'a-cover' },
    { userId: '1', from: 'user 5', activity: { type: 0 } },
  ])
})

test('a prompt without a user names no user', async () => {
  const { questions, parts } = start()
  const matter = {
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
  const asked = questions.ask(matter, left.signal).catch(() => undefined)
  const [question] = (await bridgeSnapshot(parts)).questions
  expect(question).toMatchObject({
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
  const { presences } = await bridgeSnapshot(made.parts)
  expect(presences).toMatchObject([
    ...games.map(({ userId }) => ({ details: `of ${userId}`, username: expect.any(String) })),
    { applicationId: '42', details: 'of no user' },
  ])
  expect(presences[2]).not.toHaveProperty('username')
  expect(JSON.stringify(presences)).not.toContain('planted')
})

test('shows who is invited by whom to which game, and nothing to join by', async () => {
  const { invites, clock, parts } = start()
  const application = { id: '42', name: 'Harbour' }
  invites.onMessage(
    { applicationId: '42', userId: '1' },
    activityMessage(1, { at: clock.now(), from: '5', application_id: '42', application }),
  )
  expect((await bridgeSnapshot(parts)).invites).toEqual([
    { id: idAt(clock.now()), applicationId: '42', applicationName: 'Harbour', userId: '1', from: 'user 5', activity: { type: 0 } },
  ])
})

test('says how the ways stand by which events come, and what the operator should know', async () => {
  const { parts, log } = start()
  const clock = new FakeClock()
  const warnings = new Warnings(clock, log)
  const endsAt = clock.now() + 1000
  warnings.raise('lobbies', { kind: 'development_limit', message: 'Half of the lobbies are made.', endsAt })
  const providers = { health: () => [{ name: 'gateway', state: 'failing', reason: 'It refused the session.', ignored: 3 } as const] }
  const snapshot = await bridgeSnapshot({ ...parts, warnings, providers })
  expect(snapshot.sources).toEqual([{ name: 'gateway', state: 'failing', reason: 'It refused the session.' }])
  expect(snapshot.warnings).toEqual(['Half of the lobbies are made.'])
  clock.advance(1000)
  expect((await bridgeSnapshot({ ...parts, warnings })).warnings).toEqual([])
})
