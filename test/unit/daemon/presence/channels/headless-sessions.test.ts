import { LifecycleEvents } from '#daemon/src/sessions/lifecycle.ts'
import { storeActivity } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { Session } from '#daemon/src/sessions/session.ts'
import { SessionRegistry } from '#daemon/src/sessions/registry.ts'
import { HeadlessSessions } from '#daemon/src/presence/channels/headless-sessions.ts'
import type { Presence } from '#daemon/src/presence/sink.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { unreadConnection } from '#test/support/session-connection.ts'

const APP = '1234567890'
const ADA = { applicationId: APP, userId: 'ada' }
const BOB = { applicationId: APP, userId: 'bob' }
const MINUTE = 60_000

interface Call {
  readonly by: number
  readonly cmd: string
  readonly args: { readonly token?: string; readonly activities?: readonly { readonly details: string; readonly name: string }[] }
}

let clock: FakeClock
let registry: SessionRegistry
let log: RecordingLog
let calls: Call[]
/** Responses of the platform to the next calls; the default when empty. */
let answers: (() => unknown)[]
/** What a request waits for before it leaves. */
let hasToken: Promise<void> | undefined
let sessions: HeadlessSessions
let changes: string[]
let count: number

beforeEach(() => {
  clock = new FakeClock()
  const lifecycle = new LifecycleEvents()
  registry = new SessionRegistry(lifecycle)
  log = new RecordingLog()
  calls = []
  answers = []
  hasToken = undefined
  changes = []
  count = 0
  sessions = new HeadlessSessions({
    clock,
    log,
    registry,
    lifecycle,
    api: {
      async asSession(caller, { name: cmd }, args, follower) {
        if (hasToken !== undefined) await hasToken
        follower?.leaving()
        calls.push({ by: caller.connection.id, cmd, args })
        const answer = answers.shift()
        if (answer !== undefined) return answer()
        if (cmd === 'DELETE_HEADLESS_SESSION') return null
        const token = (args as unknown as Call['args']).token ?? `token-${++count}`
        return { activities: [{ name: 'x', type: 0, session_id: `session-of-${token}` }], token }
      },
    },
  })
  sessions.changed.on(({ userId }) => changes.push(userId ?? 'any'))
})

function join(id: number, userId?: string, scopes = ['activities.write']): Session {
  const caller = new Session(unreadConnection(id), { applicationId: APP }, registry.signInChanged)
  registry.add(caller)
  if (userId !== undefined) signIn(caller, userId, scopes)
  return caller
}

const signIn = (caller: Session, userId: string, scopes = ['activities.write']): void =>
  caller.signIn(
    {
      userId,
      username: 'ann',
      applicationName: 'Dockside',
      accessToken: new Secret('t'),
      isManaged: false,
      expiresAt: Number.POSITIVE_INFINITY,
    },
    scopes,
  )

function presence(details: string, sessionId = 1, { userId } = ADA): Presence {
  const outcome = storeActivity({ details, secrets: { join: 'come-aboard' } }, { applicationId: APP, nowMs: clock.now() })
  if ('error' in outcome || outcome.stored === null) throw new Error('nothing is stored')
  return { applicationId: APP, userId, sessionId, claimedPid: undefined, stored: outcome.stored, since: clock.now() }
}

const refusal = (status: number) => () => {
  throw new BridgeError('INVALID_PAYLOAD', 'The platform does not want it.', { http_status: status })
}
const requestsSent = (): string[] =>
  calls.splice(0).map(({ cmd, args, by }) => {
    const what = cmd === 'DELETE_HEADLESS_SESSION' ? 'delete' : `show ${args.activities?.[0]?.details}`
    return `${by}: ${what}${args.token === undefined ? '' : ` ${args.token}`}`
  })

describe('it can show a user', () => {
  test('while the user is signed in and may write activities, and reports changes', () => {
    join(1)
    expect(sessions.canShow(ADA)).toBe(false)
    const reader = join(2, 'ada', ['activities.read'])
    expect(sessions.canShow(ADA)).toBe(false)
    const writer = join(3, 'ada')
    expect(sessions.canShow(ADA)).toBe(true)
    registry.remove(reader)
    writer.signOut()
    expect(sessions.canShow(ADA)).toBe(false)
    signIn(writer, 'ada')
    registry.remove(writer)
    expect(changes).toEqual(['ada', 'ada', 'ada', 'ada'])
  })
})

describe('a headless session', () => {
  test('is created once, updated with its token and deleted', async () => {
    join(1, 'ada')
    sessions.show(ADA, presence('one'))
    await settled()
    sessions.show(ADA, presence('two'))
    await settled()
    expect(sessions.sessionOf(ADA)).toBe('session-of-token-1')
    expect(sessions.sessionOf(BOB)).toBeUndefined()
    sessions.show(ADA, undefined)
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '1: show two token-1', '1: delete token-1'])
    expect(sessions.sessionOf(ADA)).toBeUndefined()
    expect(sessions.health()).toEqual({ state: 'idle' })
    expect(clock.pending).toBe(0)
  })
  test('gets only the latest presence after changes during a request', async () => {
    join(1, 'ada')
    for (const details of ['one', 'two', 'three']) sessions.show(ADA, presence(details))
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '1: show three token-1'])
  })
  test('is not shown as it was when the request began to wait for a token, if the game has set another since', async () => {
    join(1, 'ada')
    const { promise, resolve } = Promise.withResolvers<void>()
    hasToken = promise
    sessions.show(ADA, presence('one'))
    await settled()
    sessions.show(ADA, presence('two'))
    resolve()
    await settled()
    expect(requestsSent()).toEqual(['1: show two'])
    expect(sessions.health()).toEqual({ state: 'active' })
  })
  test('is not created if the game has cleared it while the request waited for a token', async () => {
    join(1, 'ada')
    const { promise, resolve } = Promise.withResolvers<void>()
    hasToken = promise
    sessions.show(ADA, presence('one'))
    await settled()
    sessions.show(ADA, undefined)
    resolve()
    await settled()
    expect(requestsSent()).toEqual([])
    expect([sessions.health(), clock.pending]).toEqual([{ state: 'idle' }, 0])
  })
  test('cleared during its first request is deleted after it', async () => {
    join(1, 'ada')
    sessions.show(ADA, presence('one'))
    sessions.show(ADA, undefined)
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '1: delete token-1'])
  })
  test('is refreshed before it expires, and only while the presence is shown', async () => {
    join(1, 'ada')
    sessions.show(ADA, presence('one'))
    await settled()
    requestsSent()
    clock.advance(15 * MINUTE - 1)
    expect(requestsSent()).toEqual([])
    clock.advance(1)
    await settled()
    expect(requestsSent()).toEqual(['1: show one token-1'])
    sessions.show(ADA, undefined)
    await settled()
    requestsSent()
    clock.advance(60 * MINUTE)
    expect(requestsSent()).toEqual([])
  })
  test('is deleted on behalf of an ended session', async () => {
    const game = join(1, 'ada')
    sessions.show(ADA, presence('one'))
    await settled()
    registry.remove(game)
    game.cancelCalls()
    sessions.show(ADA, undefined)
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '1: delete token-1'])
  })
  test('is not deleted with revoked tokens', async () => {
    const game = join(1, 'ada')
    sessions.show(ADA, presence('one'))
    await settled()
    game.signOut()
    sessions.show(ADA, undefined)
    await settled()
    expect(requestsSent()).toEqual(['1: show one'])
    expect(clock.pending).toBe(0)
  })
  test('is sent by the session that set the presence, else by the latest of its user', async () => {
    for (const id of [1, 2]) join(id, 'ada')
    join(3, 'bob')
    sessions.show(ADA, presence('by the first', 1))
    await settled()
    sessions.show(ADA, presence('by whichever', 9))
    await settled()
    expect(requestsSent()).toEqual(['1: show by the first', '2: show by whichever token-1'])
  })
  test('exists for each of two users of one application, and is deleted for each alone', async () => {
    const [ada] = [join(1, 'ada'), join(2, 'bob')]
    sessions.show(ADA, presence('of ada', 1))
    sessions.show(BOB, presence('of bob', 2, BOB))
    await settled()
    expect([sessions.sessionOf(ADA), sessions.sessionOf(BOB)]).toEqual(['session-of-token-1', 'session-of-token-2'])
    registry.remove(ada)
    expect([sessions.canShow(ADA), sessions.canShow(BOB), changes.at(-1)]).toEqual([false, true, 'ada'])
    sessions.show(ADA, undefined)
    await settled()
    expect(requestsSent()).toEqual(['1: show of ada', '2: show of bob', '1: delete token-1'])
    expect(sessions.sessionOf(BOB)).toBe('session-of-token-2')
  })
  test('has no join session while the platform does not show it', async () => {
    join(1, 'ada')
    const outcome = storeActivity({ details: 'Ashore' }, { applicationId: APP, nowMs: clock.now() })
    if ('error' in outcome || outcome.stored === null) throw new Error('nothing is stored')
    sessions.show(ADA, { ...presence('x'), stored: outcome.stored })
    await settled()
    expect(sessions.sessionOf(ADA)).toBeUndefined()
    sessions.show(ADA, presence('At sea'))
    expect(sessions.sessionOf(ADA)).toBeUndefined()
    await settled()
    expect(sessions.sessionOf(ADA)).toBe('session-of-token-1')
  })
  test('is deleted when another account signs in on its session', async () => {
    const game = join(1, 'ada')
    sessions.show(ADA, presence('one'))
    await settled()
    signIn(game, 'bob')
    await settled()
    expect(sessions.canShow(ADA)).toBe(false)
    sessions.show(ADA, undefined)
    sessions.show(BOB, presence('one', 1, BOB))
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '1: delete token-1', '1: show one'])
    expect(sessions.sessionOf(BOB)).toBe('session-of-token-2')
  })
})

describe('a platform that rejects', () => {
  test('an expired token gets a new session at once', async () => {
    join(1, 'ada')
    sessions.show(ADA, presence('one'))
    await settled()
    answers = [refusal(400)]
    sessions.show(ADA, presence('two'))
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '1: show two token-1', '1: show two'])
    expect(sessions.health()).toEqual({ state: 'active' })
  })
  test('is retried with doubling backoff, whichever presence is set meanwhile, and health contains the reason', async () => {
    join(1, 'ada')
    answers = [refusal(403), refusal(403), refusal(403)]
    sessions.show(ADA, presence('one'))
    await settled()
    sessions.show(ADA, presence('two'))
    await settled()
    expect(requestsSent()).toEqual(['1: show one'])
    expect(sessions.health()).toEqual({ state: 'failing', reason: 'The platform does not want it.' })
    for (const seconds of [30, 60, 120]) {
      clock.advance(seconds * 1000 - 1)
      await settled()
      expect(requestsSent()).toEqual([])
      clock.advance(1)
      await settled()
      expect(requestsSent()).toEqual(['1: show two'])
    }
    expect(sessions.health()).toEqual({ state: 'active' })
    expect(log.lines.map(({ event }) => event)).toEqual(Array.from({ length: 3 }, () => 'headless-session-failed'))
    expect(log.text).not.toContain('come-aboard')
  })
  test('is called at once by another session of the user', async () => {
    join(1, 'ada')
    answers = [refusal(403)]
    sessions.show(ADA, presence('one', 2))
    await settled()
    join(2, 'ada')
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '2: show one'])
  })
  test('an update while the presence is cleared gets the deletion at once', async () => {
    join(1, 'ada')
    sessions.show(ADA, presence('one'))
    await settled()
    answers = [refusal(503)]
    sessions.show(ADA, presence('two'))
    sessions.show(ADA, undefined)
    await settled()
    expect(requestsSent()).toEqual(['1: show one', '1: show two token-1', '1: delete token-1'])
    expect(sessions.health()).toEqual({ state: 'idle' })
    expect(clock.pending).toBe(0)
  })
  test('is not called after the presence was cleared', async () => {
    join(1, 'ada')
    answers = [refusal(403)]
    sessions.show(ADA, presence('one'))
    await settled()
    sessions.show(ADA, undefined)
    await settled()
    expect(sessions.health()).toEqual({ state: 'idle' })
    expect(clock.pending).toBe(0)
  })
})

test('stop deletes the headless sessions, and does not wait for an unreachable platform', async () => {
  join(1, 'ada')
  sessions.show(ADA, presence('one'))
  await settled()
  answers = [() => new Promise(() => {})]
  const stopped = sessions.stop()
  await settled()
  expect(requestsSent()).toEqual(['1: show one', '1: delete token-1'])
  clock.advance(2_000)
  await stopped
})
