/** The desired state is what the game set at that time, independent of spelling and of later changes to its objects. */
import { CallTimeoutError, type SallyportClient } from '@sallyport/client'
import { ERRORS } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryServer, quiet } from './memory-server.ts'

let server: MemoryServer
let client: SallyportClient

beforeEach(async () => {
  server = new MemoryServer()
  client = await server.client()
})
afterEach(() => client.close())

test('a null argument equals a missing one: one subscription, kept while one of the two has a listener', async () => {
  const received: string[] = []
  const spoken = client.on('SPEAKING_START', { channel_id: null }, () => received.push('null'))
  const silent = client.on('SPEAKING_START', () => received.push('none'))
  await Promise.all([spoken.active, silent.active])
  expect(server.asked).toHaveLength(1)
  spoken.close()
  await quiet()
  expect(server.asked).toHaveLength(1)
  server.last.dispatch('SPEAKING_START', { channel_id: null }, { user_id: '1' })
  await quiet()
  expect(received).toEqual(['none'])
})

test('later changes to objects of the game do not change what is restored', async () => {
  const activity = { details: 'Chapter 1', party: { id: 'a' } }
  const args = { guild_id: '7' }
  await client.on('GUILD_STATUS', args, () => {}).active
  await client.setActivity(activity)
  activity.details = 'Chapter 2, which was never set'
  activity.party.id = 'b'
  args.guild_id = '8'
  await server.vanish()
  await server.comeBack()
  expect([...server.last.subscribed]).toEqual(['GUILD_STATUS {"guild_id":"7"}'])
  expect(server.last.presence).toEqual({ details: 'Chapter 1', party: { id: 'a' } })
})

test('a presence that could not be sent is set after the reconnect', async () => {
  const activity = { details: 'Chapter 1' }
  await server.vanish()
  await client.setActivity(activity)
  activity.details = 'Chapter 2'
  await server.comeBack()
  expect(server.last.presence).toEqual({ details: 'Chapter 1' })
})

test('restores the signed-in user, even if another instance of the game signed in as another user', async () => {
  await client.signInSilently()
  await server.vanish()
  await server.comeBack()
  expect(server.asked).toEqual(['AUTHENTICATE {"user_id":"42"}'])
  expect([client.account, client.currentUser?.id]).toEqual(['signed-in', '42'])
})

test('signs in without user id at a bridge that does not accept it', async () => {
  await client.signInSilently()
  await server.vanish()
  server.judge = ({ args }) => ('user_id' in args ? ERRORS.INVALID_PAYLOAD.code : undefined)
  await server.comeBack()
  expect(server.asked).toEqual(['AUTHENTICATE {"user_id":"42"}', 'AUTHENTICATE'])
  expect(client.account).toBe('signed-in')
})

test('restores the call timeout on the next connection before the sign-in', async () => {
  await client.signInSilently()
  await client.onAuthorizeRequest(() => {}).active
  await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 120_000 })
  await server.vanish()
  await server.comeBack()
  expect(server.asked).toEqual([
    'SUBSCRIBE AUTHORIZE_REQUEST',
    'SET_HTTP_REQUEST_TIMEOUT {"timeout_ms":120000}',
    'AUTHENTICATE {"user_id":"42"}',
  ])
})

test('does not restore a timeout that the server refused', async () => {
  server.judge = () => ERRORS.INVALID_PAYLOAD.code
  await client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: -1 }).catch(() => {})
  server.judge = () => undefined
  await server.vanish()
  await server.comeBack()
  expect(server.asked).toEqual([])
})

test('the client waits longer than the daemon timeout', async () => {
  const endOf = (call: Promise<unknown>): string[] => {
    const ends: string[] = []
    call.catch((error: unknown) => ends.push(error instanceof CallTimeoutError ? 'given up' : String(error)))
    return ends
  }
  server.last.isHeld = true
  const early = endOf(client.call('GET_BRIDGE_STATUS'))
  await server.pass(34_999)
  expect(early).toEqual([])
  await server.pass(1)
  expect(early).toEqual(['given up'])
  const longer = client.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 120_000 })
  await quiet()
  server.last.answer()
  await longer
  const late = endOf(client.call('GET_BRIDGE_STATUS'))
  await server.pass(124_999)
  expect(late).toEqual([])
  await server.pass(1)
  expect(late).toEqual(['given up'])
})

test('a subscription that timed out is unsubscribed without listeners, because it may be active', async () => {
  server.last.isHeld = true
  const join = client.on('ACTIVITY_JOIN', () => {})
  await server.pass(35_000)
  expect(join).toMatchObject({ status: 'refused', error: { name: 'CallTimeoutError' } })
  join.close()
  await quiet()
  server.last.answer()
  expect([...server.last.subscribed]).toEqual([])
})

test('a refused subscription is retried in time, although new listeners are added', async () => {
  server.judge = ({ evt }) => (evt === 'ACTIVITY_JOIN' ? ERRORS.SERVICE_UNAVAILABLE.code : undefined)
  const join = client.on('ACTIVITY_JOIN', () => {})
  await quiet()
  server.judge = () => undefined
  for (let guild = 1; guild <= 6; guild += 1) {
    client.on('GUILD_STATUS', { guild_id: String(guild) }, () => {})
    await server.pass(500)
  }
  expect(join.status).toBe('active')
})
