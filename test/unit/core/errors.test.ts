import { ERRORS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { BridgeError, toWireError } from '@sallyport/core/errors'

test('a BridgeError is sent without its cause', () => {
  const cause = new Error('private')
  const wire = toWireError(new BridgeError('RATE_LIMITED', 'Wait.', { retry_after: 1.5, http_status: 429 }, { cause }))
  expect(wire).toEqual({ code: ERRORS.RATE_LIMITED.code, message: 'Wait.', retry_after: 1.5, http_status: 429 })
})

test.each([new Error('secret detail'), 'secret detail', { message: 'secret detail', code: 4000 }, null, undefined])(
  'anything else is a bug of ours: %s',
  (failure) => {
    const wire = toWireError(failure)
    expect(wire.code).toBe(ERRORS.UNKNOWN_ERROR.code)
    expect(JSON.stringify(wire)).not.toContain('secret')
  },
)
