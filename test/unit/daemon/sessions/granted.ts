/** Two programs of one user with grants, and what the user chooses for them. */
import { Grants } from '#daemon/src/auth/grants/grants.ts'
import { chooseForGrant, type GrantChoice, type GrantChoiceDeps } from '#daemon/src/sessions/grant-choices.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { jsonOf, OP, split } from '#test/support/frames.ts'

export const SECOND = 1_000
export const DAY = 86_400_000
export const EXCHANGE = {
  code: 'code-for-the-game',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:9/',
}
export const OURS = { contract: '1.0', streams: true }
export const SILENT = { evt: null }
export const ACTIVITY = { pid: 1, activity: { details: 'At sea' } }
export const peer = (name: string, file = '1:2:3:4:5') =>
  ({ trust: 'kernel', uid: 1000, pid: 1, executable: `/games/${name}`, file }) as const

/** /games/one signed in with managed tokens of the scopes identify and guilds, /games/two was allowed to use them; both are connected. */
export async function start() {
  const clock = new FakeClock()
  const bridge = testBridge({ clock, uid: 1000 })
  bridge.platform.replies.set('GET_CURRENT_USER_GUILDS', async () => [])
  bridge.consent.decide = async () => {}
  const one = Game.connected(bridge, OURS, peer('one'))
  await one.ask('GET_TOKEN', EXCHANGE)
  await one.ask('AUTHENTICATE', {})
  const two = Game.connected(bridge, OURS, peer('two'))
  await two.ask('AUTHENTICATE', {})
  bridge.consent.decide = () => Promise.reject(new Error('a prompt'))
  const { revocation, hub, presence, temporary, grants } = bridge
  const idOf = (name: string) => grants.live().find(({ program }) => program.executable === `/games/${name}`)?.id ?? ''
  /** Each time that activities are shown elsewhere. */
  const moved: string[] = []
  const deps: GrantChoiceDeps = {
    ...revocation,
    scopesChanged: (session) => hub.scopesChanged(session),
    visibilityChanged: () => presence.visibilityChanged(),
    placesChanged: () => moved.push('moved'),
    knownPlaces: () => ['7', '8-canary', 'account'],
    temporary,
  }
  const choose = (choice: GrantChoice, name = 'one', scopes: readonly string[] = []) => chooseForGrant(idOf(name), choice, { scopes }, deps)
  const again = (name: string, file?: string) => Game.connected(bridge, OURS, peer(name, file))
  /** The grants as another start of the bridge reads them. */
  const restarted = () => new Grants({ platform: 'test', store: bridge.grantStore, clock, newId: () => 'new' })
  return { ...bridge, clock, one, two, idOf, choose, again, restarted, deps, moved }
}

export const farewellOf = (game: Game) => {
  const closed = split(game.channel.take()).frames.find(({ opcode }) => opcode === OP.CLOSE)
  return closed === undefined ? undefined : (jsonOf(closed.payload) as { code: number; message: string })
}
