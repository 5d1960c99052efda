/** A response in one chunk with the end of its connection: it is processed, and its effects apply to the next connection. */
import { type ConnectionState, SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '#test/support/fake-clock.ts'
import { type Answer, BRIDGE, FakeServer, jsonFrame, temporaryDirectory } from './fake-server.ts'

let server: FakeServer
let client: SallyportClient
let clock: FakeClock
let cleanup: (() => unknown)[] = []

/** Responds to everything except the sign-in. */
const butSignIn: Answer = ({ cmd }) => (cmd === 'AUTHENTICATE' ? 'silence' : { data: {} })
const everything: Answer = () => ({ data: {} })

beforeEach(async () => {
  const { dir, remove } = await temporaryDirectory()
  cleanup = [remove]
  server = await new FakeServer({ dir, bridge: BRIDGE, answer: everything }).start()
  cleanup.push(() => server.kill())
  clock = new FakeClock()
  client = new SallyportClient({ applicationId: '123', runtimeDir: dir, environment: { clock, random: () => 0.5, watch: () => () => {} } })
  cleanup.push(() => client.close())
  await client.connect()
})

afterEach(async () => {
  for (const undo of cleanup.toReversed()) await undo()
})

const waiting = (): Promise<ConnectionState> =>
  new Promise((resolve) => {
    const stop = client.onState((state) => {
      if (state.name !== 'waiting') return
      stop()
      resolve(state)
    })
  })

/** Responds to the sign-in and closes the connection in the same write. */
function answerAndClose(): void {
  const nonce = server.last.received.find(({ cmd }) => cmd === 'AUTHENTICATE')?.nonce
  const answer = jsonFrame(1, { cmd: 'AUTHENTICATE', data: {}, evt: null, nonce })
  server.last.sendRaw(Buffer.concat([answer, jsonFrame(2, { code: 1000, message: 'bye' })]))
}

const isAsked = (peers: number) => server.until(() => server.peers.length === peers && server.commands().includes('AUTHENTICATE'))

async function comesBack(): Promise<void> {
  server.answer = everything
  clock.advance(10_000)
  await client.whenReady()
}

test('to a sign-in of the game: no subscription is lost', async () => {
  const join = client.on('ACTIVITY_JOIN', () => {})
  await join.active
  server.answer = butSignIn
  const signedIn = client.signInSilently()
  await isAsked(1)
  const gone = waiting()
  answerAndClose()
  await Promise.all([signedIn, gone])
  await comesBack()
  expect(server.commands()).toEqual(['AUTHENTICATE', 'SUBSCRIBE ACTIVITY_JOIN'])
  expect([client.account, join.status]).toEqual(['signed-in', 'active'])
})

test('to a restored sign-in: no subscription is lost', async () => {
  await client.signInSilently()
  const join = client.on('ACTIVITY_JOIN', () => {})
  const link = client.onAuthorizeRequest(() => {})
  await Promise.all([join.active, link.active])
  server.answer = butSignIn
  const gone = waiting()
  server.last.socket.destroy()
  await gone
  clock.advance(10_000)
  await isAsked(2)
  const goneAgain = waiting()
  answerAndClose()
  await goneAgain
  await comesBack()
  expect(server.commands()).toEqual(['SUBSCRIBE AUTHORIZE_REQUEST', 'AUTHENTICATE', 'SUBSCRIBE ACTIVITY_JOIN'])
  expect([client.account, link.status, join.status]).toEqual(['signed-in', 'active', 'active'])
})
