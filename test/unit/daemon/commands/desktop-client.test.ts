import { expect, test } from 'vitest'
import { Game, testBridge } from '../../../support/bridge.ts'

test('what needs the desktop client says so, by its own name', () => {
  expect(Game.greeted(testBridge()).call('GET_USER', { id: '1' })).toMatchObject({
    evt: 'ERROR',
    data: { code: 1001, message: expect.stringMatching(/^GET_USER needs .*desktop client/) },
  })
})

test('its arguments are checked all the same', () => {
  expect(Game.greeted(testBridge()).call('GET_USER', { id: 5 })).toMatchObject({ data: { code: 4000, path: 'id' } })
})
