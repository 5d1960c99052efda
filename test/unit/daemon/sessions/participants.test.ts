/** Who takes part in an embedded activity, as its pages see it. */
import { expect, test } from 'vitest'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

const ACTIVITY: PeerIdentity = { trust: 'origin', origin: 'http://1234567890.localhost:5000', isActivity: true }
const EVENT = 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'
const LIST = 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS'

function start() {
  const bridge = testBridge()
  const join = async (peer: PeerIdentity | undefined, userId: string, applicationId = '1234567890') => {
    const game = Game.connected(bridge, { client_id: applicationId, contract: '1.0', streams: true }, peer)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify'], { userId, applicationId }) })
    return game
  }
  return { bridge, join }
}

/** The ids in an answer or an event. */
const idsOf = (data: unknown): string[] => (data as { participants: { id: string }[] }).participants.map(({ id }) => id)

test('they are the users who signed in on pages of this application, each once', async () => {
  const { join } = start()
  const ann = await join(ACTIVITY, '1')
  await join(ACTIVITY, '2')
  await join(ACTIVITY, '1')
  await join(undefined, '3')
  await join({ trust: 'origin', origin: 'http://localhost:3000' }, '4')
  await join({ ...ACTIVITY, origin: 'http://999.localhost:5000' }, '5', '999')
  const { data } = ann.call(LIST)
  expect(idsOf(data).toSorted()).toEqual(['1', '2'])
  expect(data).toMatchObject({ participants: expect.arrayContaining([expect.objectContaining({ flags: 0, bot: false })]) })
})

test('subscribers hear of each user who joins, signs out or leaves', async () => {
  const { bridge, join } = start()
  const ann = await join(ACTIVITY, '1')
  ann.call('SUBSCRIBE', {}, EVENT)
  const elsewhere = await join({ ...ACTIVITY, origin: 'http://999.localhost:5000' }, '5', '999')
  elsewhere.call('SUBSCRIBE', {}, EVENT)
  const bob = await join(ACTIVITY, '2')
  const cid = await join(ACTIVITY, '3')
  bob.receiver.onClose()
  bridge.registry.signedInAs({ applicationId: '1234567890', userId: '3' })[0]?.signOut()
  cid.receiver.onClose()
  expect(ann.received().map(({ evt, data }) => [evt, ...idsOf(data)])).toEqual([
    [EVENT, '1', '2'],
    [EVENT, '1', '2', '3'],
    [EVENT, '1', '3'],
    [EVENT, '1'],
  ])
  expect(elsewhere.received()).toEqual([])
})

test('a page that is not signed in learns of no user', async () => {
  const { bridge, join } = start()
  await join(ACTIVITY, '1')
  const page = Game.connected(bridge, {}, ACTIVITY)
  expect(page.call(LIST)).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
  expect(page.call('SUBSCRIBE', {}, EVENT)).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
})
