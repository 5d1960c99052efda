import { LIMITS, SCOPES } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { requestedScopes } from '#daemon/src/rpc/handlers/authorization-request.ts'
import { Game, testBridge } from '#test/support/bridge.ts'

const OAUTH = Object.entries(SCOPES)
  .filter(([, { kind }]) => kind === 'oauth')
  .map(([name]) => name)

function start() {
  const bridge = testBridge()
  bridge.consent.decide = async () => {}
  return { ...bridge, game: Game.connected(bridge, { contract: '1.0', streams: true }) }
}

describe.each(['AUTHORIZE', 'AUTHORIZE_DEVICE'])('scopes of %s', (cmd) => {
  test.each([
    ['scopes', OAUTH],
    ['scope', OAUTH.join(' ')],
  ])('every one of the table is known, as %s', async (key, value) => {
    expect(OAUTH.length).toBeLessThanOrEqual(LIMITS.scopes.value)
    expect(await start().game.ask(cmd, { [key]: value })).toMatchObject({ evt: null })
  })
  test.each([
    ['what old clients ask for', ['rpc', 'rpc.api', 'messages.read']],
    [
      'what embedded clients may ask for',
      ['presences.read', 'presences.write', 'account.global_name.update', 'payment_sources.country_code'],
    ],
  ])('%s', async (_, scopes) => {
    expect(await start().game.ask(cmd, { scopes })).toMatchObject({ evt: null })
  })

  test.each([
    [['rpc'], ['rpc', 'identify']],
    [
      ['rpc', 'messages.read', 'rpc.notifications.read'],
      ['rpc', 'messages.read', 'rpc.notifications.read', 'identify'],
    ],
    [
      ['identify', 'rpc'],
      ['identify', 'rpc'],
    ],
    [['sdk.social_layer_presence'], ['sdk.social_layer_presence']],
    [
      ['openid', 'openid'],
      ['openid', 'identify'],
    ],
  ])('%j become %j, because a sign-in needs the user', (scopes, asked) => expect(requestedScopes({ scopes })).toEqual(asked))

  const WRONG: readonly (readonly [string, object, number, string])[] = [
    ['too many', { scopes: Array.from({ length: LIMITS.scopes.value + 1 }, () => 'rpc') }, 4000, 'scopes'],
    ['too many in a text', { scope: 'rpc '.repeat(LIMITS.scopes.value + 1) }, 4000, 'scope'],
    ['ever so many', { scopes: Array.from({ length: 150_000 }, () => 'A b') }, 4000, 'scopes'],
    ['a long text', { scopes: 'a'.repeat(1_000_000) }, 4000, 'scopes'],
    ['a long name', { scopes: ['a'.repeat(65)] }, 4000, 'scopes[0]'],
    ['a sentence', { scopes: ['identify', '/usr/games/supertux2 wants to'] }, 4000, 'scopes[1]'],
    ['a line break', { scope: 'identify\nguilds' }, 4000, 'scope'],
    ['an invisible mark', { scope: ['identify\u202e'] }, 4000, 'scope[0]'],
    ['an empty name', { scopes: [''] }, 4000, 'scopes[0]'],
    ['one that there is not', { scopes: ['identify', 'made.up'] }, 5000, 'scopes[1]'],
    ['one that there is not, in a text', { scope: 'identify made.up' }, 5000, 'scope'],
    ['a name of objects', { scopes: ['constructor'] }, 5000, 'scopes[0]'],
    ['what only connections hold', { scopes: ['rpc.local'] }, 5000, 'scopes[0]'],
  ]
  test.each(WRONG)('%s: rejected before a prompt', async (_, args, code, path) => {
    const { game, consent, authorizer, tokenEndpoint } = start()
    expect(await game.ask(cmd, args)).toMatchObject({ evt: 'ERROR', data: { code, path } })
    expect([consent.requests, authorizer.requests, tokenEndpoint.devices]).toEqual([[], [], 0])
  })
})
