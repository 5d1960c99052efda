/** Who may hear a lobby: the platform's word, asked no more often than it is worth. */
import { beforeEach, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import type { Session } from '../../../../../../daemon/src/sessions/session.ts'
import { LobbyReaders } from '../../../../../../daemon/src/events/providers/webhook/lobby-readers.ts'
import { FakeClock } from '../../../../../support/fake-clock.ts'

const of = (userId: string): Session => ({ applicationId: '10', signedIn: { userId } }) as Session
const ADA = of('1')
const GRACE = of('2')

let clock: FakeClock
let asked: string[]
let members: Set<string>
let failure: Error | undefined
let readers: LobbyReaders

const refusedWith = (http_status: number) => new BridgeError('INVALID_PERMISSIONS', 'No.', { http_status })

beforeEach(() => {
  clock = new FakeClock()
  asked = []
  members = new Set(['1'])
  failure = undefined
  readers = new LobbyReaders({
    clock,
    async read({ signedIn }, lobbyId) {
      asked.push(`${signedIn?.userId} ${lobbyId}`)
      if (failure !== undefined) throw failure
      if (!members.has(signedIn?.userId ?? '')) throw refusedWith(403)
    },
  })
})

test('who may read it may hear it, and nobody else', async () => {
  expect(await Promise.all([readers.mayRead(ADA, '30'), readers.mayRead(GRACE, '30')])).toEqual([true, false])
  expect(asked).toEqual(['1 30', '2 30'])
})

test('several events at once are one question for each user and lobby', async () => {
  await Promise.all([readers.mayRead(ADA, '30'), readers.mayRead(of('1'), '30'), readers.mayRead(ADA, '31')])
  await readers.mayRead(ADA, '30')
  expect(asked).toEqual(['1 30', '1 31'])
})

test('a member who was removed hears it for less than a minute more', async () => {
  await readers.mayRead(ADA, '30')
  members.clear()
  clock.advance(59_999)
  expect(await readers.mayRead(ADA, '30')).toBe(true)
  clock.advance(1)
  expect(await readers.mayRead(ADA, '30')).toBe(false)
})

test('who was refused and joined is asked about again after ten seconds', async () => {
  await readers.mayRead(GRACE, '30')
  members.add('2')
  clock.advance(9_999)
  expect(await readers.mayRead(GRACE, '30')).toBe(false)
  clock.advance(1)
  expect(await readers.mayRead(GRACE, '30')).toBe(true)
})

test.each([
  ['did not answer', new BridgeError('SERVICE_UNAVAILABLE', 'No.')],
  ['failed', refusedWith(503)],
  ['limited the question', new BridgeError('RATE_LIMITED', 'No.', { http_status: 429 })],
  ['could not be asked, since the session is gone', new Error('closed')],
])('when the platform %s, the next message asks again', async (_, cause) => {
  failure = cause
  expect(await readers.mayRead(ADA, '30')).toBe(false)
  failure = undefined
  expect(await readers.mayRead(ADA, '30')).toBe(true)
  expect(asked).toHaveLength(2)
})

test('the oldest answers are forgotten when there are too many', async () => {
  for (let lobby = 0; lobby <= 1000; lobby++) await readers.mayRead(ADA, String(lobby))
  asked = []
  await readers.mayRead(ADA, '1')
  await readers.mayRead(ADA, '0')
  expect(asked).toEqual(['1 0'])
})
