import { expect, it } from 'vitest'
import { PendingNonces } from '#daemon/src/auth/oauth/pending-nonces.ts'
import { Secret } from '@sallyport/core/secret'
import { FakeClock } from '#test/support/fake-clock.ts'

const code = (text: string) => new Secret(text)

it('returns the nonce of a code, also an absent one, and nothing for other codes', () => {
  const nonces = new PendingNonces(new FakeClock())
  nonces.add(code('a'), 'n')
  nonces.add(code('b'), undefined)
  expect(nonces.of(code('a'))).toMatchObject({ nonce: 'n' })
  expect(nonces.of(code('b'))).toMatchObject({ nonce: undefined })
  expect(nonces.of(code('c'))).toBeUndefined()
})

it('forgets after ten minutes, and keeps a bounded number', { tags: ['2.1-11'] }, () => {
  const clock = new FakeClock()
  const nonces = new PendingNonces(clock)
  nonces.add(code('old'), 'n')
  clock.advance(599_999)
  expect(nonces.of(code('old'))).toMatchObject({ nonce: 'n' })
  clock.advance(1)
  expect(nonces.of(code('old'))).toBeUndefined()
  for (let count = 0; count < 300; count++) nonces.add(code(`c${count}`), 'n')
  const kept = Array.from({ length: 300 }, (_, count) => nonces.of(code(`c${count}`))).filter((one) => one !== undefined)
  expect(kept).toHaveLength(256)
  expect(nonces.of(code('c299'))).toBeDefined()
})
