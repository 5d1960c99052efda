/** Errors must not contain secrets that the platform echoes: the token and secret arguments, at any depth and in any encoding. */
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { reply } from './fake-platform.ts'
import { ada, world } from './forwarder-world.ts'
import { writeRow } from './rows.ts'

const JOIN = 'join "the crew" / ü'
const ARGS = { channel_id: '1', content: 'A plain text', activities: [{ name: 'Harbour', secrets: { join: JOIN } }] }

it.each([
  ['as it is', JOIN],
  ['in JSON', JSON.stringify(ARGS.activities)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(ARGS.activities))],
  ['in an address', `/?join=${encodeURIComponent(JOIN)}`],
  ['in a form', new URLSearchParams({ join: JOIN }).toString()],
  ['as the token', ada.token.reveal()],
])('%s', async (_, echo) => {
  const { platform, forwarder, clock } = world()
  const failureOf = (body: object): Promise<unknown> => {
    platform.answer = () => reply(400, body)
    const call = forwarder.forward(writeRow(), ARGS, ada, new AbortController().signal, clock.elapsed() + 30_000)
    return call.then(
      () => undefined,
      (failure: unknown) => failure,
    )
  }
  for (const body of [
    { code: 0, message: `Wrong: ${echo}` },
    { code: 50035, message: 'Invalid Form Body', errors: { [echo]: { _errors: [{ code: 'X', message: echo }] } } },
    { error: 'invalid_request', error_description: echo },
  ]) {
    const failure = await failureOf(body)
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toMatch(/crew|token-of-ada/)
    expect(JSON.stringify(failure)).not.toMatch(/crew|token-of-ada/)
    expect(failure).toMatchObject({ message: expect.stringContaining('[withheld]') as string })
  }
  expect(await failureOf({ code: 0, message: 'Wrong: A plain text' })).toMatchObject({
    message: expect.stringContaining('A plain text') as string,
  })
})
