import { expect, test } from 'vitest'
import { bridgeSnapshot, type SnapshotParts } from '../../../daemon/src/bridge-snapshot.ts'
import { BridgeError } from '../../../daemon/src/core/errors.ts'
import { OpenPages } from '../../../daemon/src/dashboard/open-pages.ts'
import { Questions } from '../../../daemon/src/grants/questions.ts'
import { Warnings } from '../../../daemon/src/upstream/warnings.ts'
import { activityMessage, idAt } from '../../support/activity-messages.ts'
import { testBridge } from '../../support/bridge.ts'
import { FakeClock } from '../../support/fake-clock.ts'

function start() {
  const bridge = testBridge()
  const { registry, hub, shown, keeper, grants, clock, log } = bridge
  const questions = new Questions({ clock, log, newId: () => 'q1', surfaces: [], isListShown: true })
  const parts: SnapshotParts = {
    version: '1',
    platform: 'test',
    ipc: [],
    sandboxOrigin: undefined,
    registry,
    hub,
    shown,
    keeper,
    grants,
    questions,
    pages: new OpenPages(),
    joins: bridge.joins,
    sources: bridge.sources,
    warnings: new Warnings(clock, log),
    counters: { connections: 0, calls: 0 },
  }
  return { ...bridge, questions, parts }
}

test('says why there are no accounts while the vault is closed, and keeps to the rest', async () => {
  const { keeper, parts } = start()
  expect(await bridgeSnapshot(parts)).toMatchObject({ accounts: [], vaultProblem: null })
  keeper.list = () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'The keychain is locked.'))
  expect(await bridgeSnapshot(parts)).toMatchObject({ accounts: [], vaultProblem: 'The keychain is locked.', platform: 'test' })
  keeper.list = () => Promise.reject(new TypeError('a bug'))
  await expect(bridgeSnapshot(parts)).rejects.toThrow('a bug')
})

test('a question about nobody in particular names no user', async () => {
  const { questions, parts } = start()
  const matter = {
    program: { uid: 1, executable: '/games/one', file: 'f' },
    pid: 7,
    applicationId: '42',
    applicationName: undefined,
    userId: undefined,
    username: undefined,
    scopes: ['identify'],
    why: 'new-program',
  } as const
  const left = new AbortController()
  const asked = questions.ask(matter, left.signal).catch(() => undefined)
  const [question] = (await bridgeSnapshot(parts)).questions
  expect(question).toMatchObject({ id: 'q1', executable: '/games/one', scopes: ['identify'] })
  expect(question).not.toHaveProperty('userId')
  left.abort()
  await asked
})

test('shows who is invited by whom to which game, and nothing to join by', async () => {
  const { joins, clock, parts } = start()
  const application = { id: '42', name: 'Harbour' }
  joins.heard({ applicationId: '42', userId: '1' }, activityMessage(1, { at: clock.now(), from: '5', application_id: '42', application }))
  expect((await bridgeSnapshot(parts)).invites).toEqual([
    { id: idAt(clock.now()), applicationId: '42', applicationName: 'Harbour', userId: '1', from: 'user 5' },
  ])
})

test('says how the ways stand by which events come, and what the operator should know', async () => {
  const { parts, log } = start()
  const clock = new FakeClock()
  const warnings = new Warnings(clock, log)
  const endsAt = clock.now() + 1000
  warnings.raise('lobbies', { kind: 'development_limit', message: 'Half of the lobbies are made.', endsAt })
  const sources = { health: () => [{ name: 'gateway', state: 'failing', reason: 'It refused the session.', ignored: 3 } as const] }
  const snapshot = await bridgeSnapshot({ ...parts, warnings, sources })
  expect(snapshot.sources).toEqual([{ name: 'gateway', state: 'failing', reason: 'It refused the session.' }])
  expect(snapshot.warnings).toEqual(['Half of the lobbies are made.'])
  clock.advance(1000)
  expect((await bridgeSnapshot({ ...parts, warnings })).warnings).toEqual([])
})
