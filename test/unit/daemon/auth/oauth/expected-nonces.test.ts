import { expect, it } from 'vitest'
import { ExpectedNonces } from '../../../../../daemon/src/auth/oauth/expected-nonces.ts'
import { Secret } from '@sallyport/core/secret'
import { FakeClock } from '../../../../support/fake-clock.ts'

const code = (text: string) => new Secret(text)

it('tells what was noted for a code, none included, and nothing of other codes', () => {
  const nonces = new ExpectedNonces(new FakeClock())
  nonces.note(code('a'), 'n')
  nonces.note(code('b'), undefined)
  expect(nonces.of(code('a'))).toMatchObject({ nonce: 'n' })
  expect(nonces.of(code('b'))).toMatchObject({ nonce: undefined })
  expect(nonces.of(code('c'))).toBeUndefined()
})

it('forgets after ten minutes, and keeps a bounded number', () => {
  const clock = new FakeClock()
  const nonces = new ExpectedNonces(clock)
  nonces.note(code('old'), 'n')
  clock.advance(600_000)
  expect(nonces.of(code('old'))).toBeUndefined()
  for (let count = 0; count < 300; count++) nonces.note(code(`c${count}`), 'n')
  const kept = Array.from({ length: 300 }, (_, count) => nonces.of(code(`c${count}`))).filter((one) => one !== undefined)
  expect(kept).toHaveLength(256)
  expect(nonces.of(code('c299'))).toBeDefined()
})
