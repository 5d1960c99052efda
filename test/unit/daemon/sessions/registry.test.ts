import { expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

test('sessions are found by application and user while they are connected and signed in', async () => {
  const bridge = testBridge()
  const hello = { contract: '1.0', streams: true }
  const [ann, bob, other] = [
    Game.connected(bridge, hello),
    Game.connected(bridge, hello),
    Game.connected(bridge, { ...hello, client_id: '999' }),
  ]
  await ann.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  await bob.ask('AUTHENTICATE', { access_token: tokenOf(['identify'], { userId: '5' }) })
  await other.ask('AUTHENTICATE', { access_token: tokenOf(['identify'], { applicationId: '999', userId: '5' }) })
  const count = (applicationId: string, userId: string) => bridge.registry.signedInAs({ applicationId, userId }).length
  expect([
    count('1234567890', '80351110224678912'),
    count('1234567890', '5'),
    count('999', '5'),
    count('999', '80351110224678912'),
  ]).toEqual([1, 1, 1, 0])
  expect(bridge.registry.all()).toHaveLength(3)
  bob.receiver.onClose()
  expect([count('1234567890', '5'), bridge.registry.all().length]).toEqual([0, 2])
})

test('listeners get every addition, sign-in, sign-out and removal', async () => {
  const bridge = testBridge()
  const received: (string | undefined)[] = []
  bridge.lifecycle.on('sessionChanged', ({ signedIn }) => received.push(signedIn?.userId))
  const game = Game.connected(bridge, { contract: '1.0', streams: true })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  expect(bridge.registry.signedIn('1234567890')).toEqual(bridge.registry.of('1234567890'))
  bridge.registry.all()[0]?.signOut()
  expect([bridge.registry.signedIn('1234567890').length, bridge.registry.of('1234567890').length]).toEqual([0, 1])
  game.receiver.onClose()
  expect(received).toEqual([undefined, '80351110224678912', undefined, undefined])
  expect(bridge.registry.of('1234567890')).toEqual([])
})
