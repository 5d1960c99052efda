/** A bridge that two programs of one user join, and the sign-in of the first. */
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

export const APPLICATION = '1234567890'
export const ADA = '80351110224678912'
export const DAY = 86_400_000
export const EXCHANGE = {
  code: 'code-for-the-game',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:9/',
}
export const ONE = { trust: 'kernel', uid: 1000, pid: 1, executable: '/games/one', file: '1:2:3:4:5', kind: 'native' } as const
export const TWO = { ...ONE, pid: 2, executable: '/games/two' } as const

export function start() {
  const clock = new FakeClock()
  const bridge = testBridge({ clock, uid: 1000 })
  return {
    ...bridge,
    clock,
    join: (peer: typeof ONE | typeof TWO = ONE, hello: object = { contract: '1.0', streams: true }) => Game.connected(bridge, hello, peer),
  }
}

/** A user signed in with /games/one. */
export async function signedIn() {
  const made = start()
  await made.join().ask('GET_TOKEN', EXCHANGE)
  return made
}
