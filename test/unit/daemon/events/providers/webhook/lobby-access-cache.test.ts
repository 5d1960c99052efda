/** Which users may receive the events of a lobby: read from the platform, and cached. */
import { beforeEach, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import type { Session } from '#daemon/src/sessions/session.ts'
import { LobbyAccessCache } from '#daemon/src/events/providers/webhook/lobby-access-cache.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const of = (userId: string): Session => ({ applicationId: '10', signedIn: { userId } }) as Session
const ADA = of('1')
const GRACE = of('2')

let clock: FakeClock
let asked: string[]
let members: Set<string>
let failure: Error | undefined
let readers: LobbyAccessCache

const refusedWith = (http_status: number) => new BridgeError('INVALID_PERMISSIONS', 'No.', { http_status })

beforeEach(() => {
  clock = new FakeClock()
  asked = []
  members = new Set(['1'])
  failure = undefined
  readers = new LobbyAccessCache({
    clock,
    api: {
      async asSession({ signedIn }, row, args) {
        asked.push(`${signedIn?.userId} ${String(args['lobby_id'])}`)
        expect([row.name, args['limit']]).toEqual(['GET_LOBBY_MESSAGES', 1])
        if (failure !== undefined) throw failure
        if (!members.has(signedIn?.userId ?? '')) throw refusedWith(403)
        return []
      },
    },
  })
})

test('a user who may read the lobby has access, and no other user', async () => {
  expect(await Promise.all([readers.canRead(ADA, '30'), readers.canRead(GRACE, '30')])).toEqual([true, false])
  expect(asked).toEqual(['1 30', '2 30'])
})

test('concurrent events cause one read for each user and lobby', async () => {
  await Promise.all([readers.canRead(ADA, '30'), readers.canRead(of('1'), '30'), readers.canRead(ADA, '31')])
  await readers.canRead(ADA, '30')
  expect(asked).toEqual(['1 30', '1 31'])
})

test('a removed member keeps access for less than a minute', async () => {
  await readers.canRead(ADA, '30')
  members.clear()
  clock.advance(59_999)
  expect(await readers.canRead(ADA, '30')).toBe(true)
  clock.advance(1)
  expect(await readers.canRead(ADA, '30')).toBe(false)
})

test('a refused user is checked again after ten seconds', async () => {
  await readers.canRead(GRACE, '30')
  members.add('2')
  clock.advance(9_999)
  expect(await readers.canRead(GRACE, '30')).toBe(false)
  clock.advance(1)
  expect(await readers.canRead(GRACE, '30')).toBe(true)
})

test.each([
  ['did not answer', new BridgeError('SERVICE_UNAVAILABLE', 'No.')],
  ['failed', refusedWith(503)],
  ['limited the request', new BridgeError('RATE_LIMITED', 'No.', { http_status: 429 })],
  ['could not be asked, since the session is gone', new Error('closed')],
])('when the platform %s, the next message asks again', async (_, cause) => {
  failure = cause
  expect(await readers.canRead(ADA, '30')).toBe(false)
  failure = undefined
  expect(await readers.canRead(ADA, '30')).toBe(true)
  expect(asked).toHaveLength(2)
})

test('the oldest entries are removed over the limit', async () => {
  for (let lobby = 0; lobby <= 1000; lobby++) await readers.canRead(ADA, String(lobby))
  asked = []
  await readers.canRead(ADA, '1')
  await readers.canRead(ADA, '0')
  expect(asked).toEqual(['1 0'])
})
