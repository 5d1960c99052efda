/** Calls with an interaction token: no other token is sent, and errors do not contain it. */
import { ENDPOINTS, ERRORS } from '@sallyport/protocol'
import { expect, it } from 'vitest'
import { world } from './forwarder-world.ts'
import { limits, reply } from './fake-platform.ts'

const TOKEN = 'aW50ZXJhY3Rpb246MTIzNDU2Nzg5'
const args = (token = TOKEN) => ({ application_id: '1', interaction_token: token, content: 'Ahoy' })
const soon = { signal: new AbortController().signal, deadlineAt: (elapsed: number) => elapsed + 1000 }

it('are sent with their own token only', async () => {
  const { forwarder, platform, clock } = world()
  platform.answer = () => reply(404, { code: 10015, message: 'Unknown Webhook' })
  await expect(
    forwarder.forward(ENDPOINTS.CREATE_FOLLOWUP_MESSAGE, args(), undefined, soon.signal, soon.deadlineAt(clock.elapsed())),
  ).rejects.toThrow()
  expect(platform.at(0).request.headers).not.toHaveProperty('authorization')
  expect(platform.at(0).request.url).toContain(`/webhooks/1/${TOKEN}`)
})

it.each([
  [400, 40094, 'INVALID_PAYLOAD', 'limit of follow-up messages'],
  [401, 50027, 'INVALID_TOKEN', '15 minutes'],
  [404, 10062, 'INVALID_PAYLOAD', '3 seconds'],
  [400, 40060, 'INVALID_PAYLOAD', 'already has a response'],
] as const)(
  'a refusal with %i and %i is %s with advice, ends no session and does not repeat the token',
  async (status, code, name, advice) => {
    const { forwarder, platform, clock, unauthorized } = world()
    platform.answer = () => reply(status, { code, message: `No: ${TOKEN}` })
    const refused = forwarder.forward(ENDPOINTS.CREATE_FOLLOWUP_MESSAGE, args(), undefined, soon.signal, soon.deadlineAt(clock.elapsed()))
    const failure = await refused.then(
      () => undefined,
      (error: unknown) => error as Error & { toWire(): { code: number; message: string } },
    )
    expect(failure?.toWire()).toMatchObject({ code: ERRORS[name].code, platform_code: code })
    expect(failure?.toWire().message).toContain(advice)
    expect(JSON.stringify(failure?.toWire())).not.toContain(TOKEN)
    expect(unauthorized).toEqual([])
  },
)

it('have a bucket for each interaction', async () => {
  const { forwarder, platform, clock } = world()
  platform.answer = () => reply(200, {}, limits('hook', 1, 0, 60))
  const send = (token: string) =>
    forwarder
      .forward(
        ENDPOINTS.DELETE_ORIGINAL_INTERACTION_RESPONSE,
        { application_id: '1', interaction_token: token },
        undefined,
        soon.signal,
        soon.deadlineAt(clock.elapsed()),
      )
      .catch((error: unknown) => (error as { error: string }).error)
  await send(TOKEN)
  expect(await send(TOKEN)).toBe('RATE_LIMITED')
  expect(platform.received).toHaveLength(1)
  await send('another-interaction')
  expect(platform.received).toHaveLength(2)
})
