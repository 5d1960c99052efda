import { expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'

const URL_WITH = (query: string) => `mygame:/authorize/callback?${query}`

function start() {
  const bridge = testBridge()
  return { ...bridge, game: Game.connected(bridge) }
}

test('DELIVER_AUTHORIZE_CALLBACK delivers the address and returns its outcome', () => {
  const { game, authorizer, log } = start()
  expect(game.call('DELIVER_AUTHORIZE_CALLBACK', { url: URL_WITH('code=planted-code&state=the-state') })).toMatchObject({
    evt: null,
    data: { application_id: '1234567890', outcome: 'allowed' },
  })
  expect(game.call('DELIVER_AUTHORIZE_CALLBACK', { url: URL_WITH('error=access_denied&state=the-state') })).toMatchObject({
    data: { application_id: '1234567890', outcome: 'refused', error: 'access_denied' },
  })
  expect(authorizer.delivered).toHaveLength(2)
  expect(JSON.stringify(log)).not.toContain('planted-code')
})

test('an unexpected callback is rejected, and so is a call without an address', () => {
  const { game } = start()
  expect(game.call('DELIVER_AUTHORIZE_CALLBACK', { url: URL_WITH('code=c&state=other') })).toMatchObject({ data: { code: 4020 } })
  expect(game.call('DELIVER_AUTHORIZE_CALLBACK', {})).toMatchObject({ data: { code: 4000, path: 'url' } })
})

test('ABORT_AUTHORIZE aborts the authorizations of its session', () => {
  const { game, authorizer, registry } = start()
  expect(game.call('ABORT_AUTHORIZE')).toMatchObject({ evt: null, data: null })
  expect(authorizer.aborted).toEqual(registry.all())
})
