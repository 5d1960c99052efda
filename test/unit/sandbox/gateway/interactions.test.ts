/** How interactions reach the application: its interactions endpoint, or its bot by the gateway. */
import { Interaction } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { BOT_TOKEN, GUILDS, bot, open, user } from './client.ts'

const TOKEN = `Bot ${BOT_TOKEN}`
let harness: Harness
let receiver: Receiver
beforeEach(async () => {
  harness = await startHarness()
  const { json } = await harness.send('GET', '/applications/@me', { token: TOKEN })
  receiver = await startReceiver(String(json['verify_key']))
})
afterEach(async () => {
  await harness.close()
  await receiver.close()
})

const raise = async (more: object = {}): Promise<Interaction> => {
  const { status, text } = await harness.send('POST', '~sandbox/interactions', {
    json: { application_id: APPLICATION, user: 'ada', ...more },
  })
  expect(status, text).toBe(201)
  return Interaction().parse(JSON.parse(text))
}
const edit = (url: string | null) => harness.send('PATCH', '/applications/@me', { token: TOKEN, json: { interactions_endpoint_url: url } })
const received = () => receiver.received.map(({ message }) => message as unknown as Interaction)

it('an application without an endpoint receives them by its bot, on any intents; its users and other bots do not', async () => {
  const own = (await bot(harness, GUILDS)).client
  const ada = (await user(harness, 'ada')).client
  const other = await open(harness)
  await other.identify({ token: `sandbox-bot-${OTHER_APPLICATION}`, intents: GUILDS })
  const interaction = await raise()
  expect(await own.event('INTERACTION_CREATE')).toEqual(interaction)
  for (const client of [ada, other]) expect((await client.heardUntilNow(harness)).map(({ t }) => t)).not.toContain('INTERACTION_CREATE')
})

it('an endpoint proves that it answers a ping and checks signatures; then it receives them, and the bot does not', async () => {
  const own = (await bot(harness, GUILDS)).client
  Object.assign(receiver.answers, { good: 200, body: '{"type":1}' })
  expect((await edit(receiver.url)).status).toBe(200)
  expect(receiver.received.map(({ isSigned, message }) => [isSigned, message.type])).toEqual([
    [true, 1],
    [false, 1],
  ])
  receiver.received.length = 0
  Object.assign(receiver.answers, { good: 202, body: '' })
  const interaction = await raise()
  await expect.poll(received).toEqual([interaction])
  expect(receiver.received[0]?.isSigned).toBe(true)
  expect((await own.heardUntilNow(harness)).map(({ t }) => t)).not.toContain('INTERACTION_CREATE')
  await edit(null)
  const next = await raise()
  expect(await own.event('INTERACTION_CREATE')).toEqual(next)
})

it.each([
  ['accepts a wrong signature', { good: 200, bad: 200, body: '{"type":1}' }],
  ['answers a ping like an event', { good: 204, bad: 401, body: '' }],
  ['answers without PONG', { good: 200, bad: 401, body: '{}' }],
])('an endpoint that %s is refused', async (_, answers) => {
  Object.assign(receiver.answers, answers)
  expect(await edit(receiver.url)).toMatchObject({ status: 400, json: { code: 50035, errors: { interactions_endpoint_url: {} } } })
})

it('an endpoint that does not answer leaves the interaction unanswered, and a line in the log', async () => {
  Object.assign(receiver.answers, { good: 200, body: '{"type":1}' })
  await edit(receiver.url)
  receiver.answers.good = 500
  const { token } = await raise()
  await expect.poll(() => harness.log.join('\n')).toContain('sandbox-interaction-not-delivered')
  expect(harness.log.join('\n')).not.toContain(token)
})
