/** A presence that the game set without a connection is kept, shown on the next one, and reported once. */
import { CallError, NotSentError, type PresenceReport, type SallyportClient } from '@sallyport/client'
import { ERRORS } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryServer, quiet } from './memory-server.ts'

let server: MemoryServer
let client: SallyportClient
let reports: PresenceReport[]

beforeEach(() => {
  server = new MemoryServer()
  client = server.newClient()
  reports = []
  client.onPresence((report) => reports.push(report))
})
afterEach(() => client.close())

const shown = (): unknown[] => server.last.asked.map(({ args }) => args['activity'])
const SHOWN = { activity: expect.anything() }

test('a presence set before the first connection is shown and reported once, on none of the next', async () => {
  await expect(client.setActivity({ details: 'early' })).resolves.toBeUndefined()
  await client.connect()
  expect(shown()).toEqual([{ details: 'early' }])
  expect(reports).toEqual([SHOWN])
  await server.vanish()
  await server.comeBack()
  expect(shown()).toEqual([{ details: 'early' }])
  expect(reports).toHaveLength(1)
})

test('the newest of several is shown and reported; a removed listener hears nothing', async () => {
  const removed: PresenceReport[] = []
  client.onPresence((report) => removed.push(report))()
  await client.setActivity({ details: 'replaced' })
  await client.setActivity({ details: 'newest' })
  await client.connect()
  expect(shown()).toEqual([{ details: 'newest' }])
  expect(reports).toEqual([SHOWN])
  expect(removed).toEqual([])
})

test('a presence with a connection is not reported', async () => {
  await client.connect()
  await expect(client.setActivity({ details: 'now' })).resolves.toBeDefined()
  expect(reports).toEqual([])
})

test('a clear without a connection is reported, and needs no call on a connection that shows nothing', async () => {
  await client.clearActivity()
  await client.connect()
  expect(server.asked).toEqual([])
  expect(reports).toEqual([{ activity: null }])
})

test('a presence that the server refuses is reported once and not sent again', async () => {
  await client.setActivity({ details: 'bad' })
  server.judge = () => ERRORS.INVALID_PAYLOAD.code
  await client.connect()
  expect(reports).toEqual([{ error: expect.any(CallError) }])
  server.judge = () => undefined
  await server.vanish()
  await server.comeBack()
  expect(server.asked).toEqual([])
  expect(reports).toHaveLength(1)
})

test('a presence whose response was lost is shown and reported on the next connection', async () => {
  await client.setActivity({ details: 'kept' })
  server.holdsAnswers = true
  client.connect({ timeoutMs: 60_000 }).catch(() => {})
  await quiet()
  expect(shown()).toEqual([{ details: 'kept' }])
  await server.vanish()
  expect(reports).toEqual([])
  server.holdsAnswers = false
  await server.comeBack()
  expect(shown()).toEqual([{ details: 'kept' }])
  expect(reports).toEqual([SHOWN])
})

test('one that is replaced while the server judges it is never reported, and one set while restoring is refused once', async () => {
  await client.setActivity({ details: 'replaced' })
  server.holdsAnswers = true
  const connecting = client.connect()
  await quiet()
  expect(client.state).toMatchObject({ name: 'connecting', step: 'restoring' })
  await client.setActivity({ details: 'bad' })
  server.judge = ({ args }) => (JSON.stringify(args).includes('bad') ? ERRORS.INVALID_PAYLOAD.code : undefined)
  server.last.isHeld = false
  server.last.answer()
  await connecting
  await quiet()
  expect(shown()).toEqual([{ details: 'replaced' }, { details: 'bad' }])
  expect(reports).toEqual([{ error: expect.any(CallError) }])
  await server.vanish()
  await server.comeBack()
  expect(server.asked).toEqual([])
})

test('any other call without a connection was not sent, and so is a presence of a closed client', async () => {
  await expect(client.call('GET_BRIDGE_STATUS')).rejects.toBeInstanceOf(NotSentError)
  await client.close()
  await expect(client.setActivity({ details: 'late' })).rejects.toBeInstanceOf(NotSentError)
})
