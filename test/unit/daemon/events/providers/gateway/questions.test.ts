import { GATEWAY_INTENTS, LIMITS } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller } from '@sallyport/core/cancel'
import { wantedOfBot } from '../../../../../../daemon/src/events/providers/gateway/parties.ts'
import {
  gatewayQuestions,
  type GatewayQuestions,
  noGatewayQuestions,
} from '../../../../../../daemon/src/events/providers/gateway/questions.ts'
import { APPLICATION, GatewayWorld, IDLE_MS, turns } from '../../../../../support/gateway-world.ts'

const HARBOUR = { id: '7', name: 'Harbour' }
const MEMBERS = 1 << 14
const EVERYBODY = { guildId: '7', query: '', limit: 0 }
const BY_NAME = { guildId: '7', query: 'a', limit: 100 }

let world: GatewayWorld
let ask: GatewayQuestions
let stop: Canceller
beforeEach(() => {
  world = new GatewayWorld()
  world.bots.add(APPLICATION)
  world.flags = MEMBERS
  ask = gatewayQuestions(world.source)
  stop = new Canceller()
})

/** Asks, and lets the bot's connection come up. */
async function begun<T>(question: Promise<T>): Promise<{ readonly answer: Promise<T>; readonly nonce: string }> {
  question.catch(() => {})
  await turns()
  if (world.link.state.name !== 'live') world.link.ready(HARBOUR)
  await turns()
  return { answer: question, nonce: (world.link.sent.at(-1)?.d as { nonce: string } | undefined)?.nonce ?? '' }
}
const chunk = (nonce: string, index: number, count: number, ...members: readonly string[]) =>
  world.link.dispatch('GUILD_MEMBERS_CHUNK', {
    guild_id: '7',
    nonce,
    chunk_index: index,
    chunk_count: count,
    members,
    not_found: index === 0 ? ['9'] : [],
  })

describe('members', () => {
  test('come in chunks, which make one answer, whatever is told twice or for others', async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, EVERYBODY, stop))
    expect(world.link.sent).toEqual([{ op: 8, d: { guild_id: '7', query: '', limit: 0, nonce } }])
    expect(Buffer.byteLength(nonce)).toBeLessThanOrEqual(32)
    chunk('of-another', 0, 1, 'zed')
    chunk(nonce, 0, 3, 'ann')
    chunk(nonce, 0, 3, 'ann')
    chunk(nonce, 2, 3, 'cid')
    chunk(nonce, 1, 3, 'bob')
    expect(await answer).toEqual({ members: ['ann', 'cid', 'bob'], notFound: ['9'], presences: [] })
  })

  test('all of them may be asked for once in a while, guild by guild; some of them always', async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, EVERYBODY, stop))
    chunk(nonce, 0, 1, 'ann')
    await answer
    world.clock.advance(10_000)
    await expect(ask.members(APPLICATION, EVERYBODY, stop)).rejects.toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 20 } })
    expect(world.link.sent).toHaveLength(1)
    const some = await begun(ask.members(APPLICATION, BY_NAME, stop))
    chunk(some.nonce, 0, 1, 'ann')
    expect((await some.answer).members).toEqual(['ann'])
    world.clock.advance(20_000)
    const again = await begun(ask.members(APPLICATION, EVERYBODY, stop))
    chunk(again.nonce, 0, 1, 'ann')
    expect((await again.answer).members).toEqual(['ann'])
  })

  test('all of them may be asked for again after the clock was set back', async () => {
    const first = await begun(ask.members(APPLICATION, EVERYBODY, stop))
    chunk(first.nonce, 0, 1)
    await first.answer
    world.clock.setBack(3_600_000)
    const { answer, nonce } = await begun(ask.members(APPLICATION, EVERYBODY, stop))
    chunk(nonce, 0, 1, 'ann')
    expect((await answer).members).toEqual(['ann'])
  })

  test('that the platform refuses for their number are RATE_LIMITED', async () => {
    const one = await begun(ask.members(APPLICATION, BY_NAME, stop))
    const other = await begun(ask.members(APPLICATION, BY_NAME, stop))
    world.link.dispatch('RATE_LIMITED', { opcode: 8, retry_after: 12.5, meta: { guild_id: '7', nonce: other.nonce } })
    await expect(other.answer).rejects.toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 12.5 } })
    world.link.dispatch('RATE_LIMITED', { opcode: 8, retry_after: 1, meta: { guild_id: '8' } })
    chunk(one.nonce, 0, 1)
    expect((await one.answer).members).toEqual([])
  })

  test.each(['members', 'not_found', 'presences'])('are too many at some point, be it by %s', async (list) => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, EVERYBODY, stop))
    const d = { guild_id: '7', nonce, chunk_count: 9 }
    world.link.dispatch('GUILD_MEMBERS_CHUNK', { ...d, chunk_index: 0, [list]: Array<string>(LIMITS.membersAnswer.value).fill('1') })
    world.link.dispatch('GUILD_MEMBERS_CHUNK', { ...d, chunk_index: 1, [list]: ['2'] })
    await expect(answer).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
  })

  test('that no chunk says the number of come to an end all the same', async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, EVERYBODY, stop))
    for (let index = 0; index <= LIMITS.membersAnswer.value; index++)
      world.link.dispatch('GUILD_MEMBERS_CHUNK', { guild_id: '7', nonce, chunk_index: index, chunk_count: Number.MAX_SAFE_INTEGER })
    await expect(answer).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
  })

  test('that nobody could ask for were not asked for: all of them may be at once', async () => {
    const release = world.source.hold(wantedOfBot(APPLICATION, GATEWAY_INTENTS.GUILD_MEMBERS))
    await turns()
    world.link.ready(HARBOUR)
    world.link.failure = new BridgeError('SERVICE_UNAVAILABLE', 'The connection is not there now.')
    for (let tries = 0; tries < 2; tries++)
      await expect(ask.members(APPLICATION, EVERYBODY, stop)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    release()
  })

  test('all of them, and presences, need intents that the application has', async () => {
    world.flags = 0
    await expect((await begun(ask.members(APPLICATION, EVERYBODY, stop))).answer).rejects.toThrow('GUILD_MEMBERS')
    await expect((await begun(ask.members(APPLICATION, { ...BY_NAME, presences: true }, stop))).answer).rejects.toThrow('GUILD_PRESENCES')
    expect(world.link.sent).toEqual([])
  })
})

test('what passes in channels is asked for and answered, the earliest question first', async () => {
  const one = await begun(ask.channelInfo(APPLICATION, '7', ['status'], stop))
  const other = await begun(ask.channelInfo(APPLICATION, '7', ['voice_start_time'], stop))
  expect(world.link.sent).toMatchObject([{ op: 43, d: { guild_id: '7', fields: ['status'] } }, { op: 43 }])
  world.link.dispatch('CHANNEL_INFO', { guild_id: '8', channels: ['of another guild'] })
  world.link.dispatch('CHANNEL_INFO', { guild_id: '7', channels: [{ id: '70', status: 'Singing' }] })
  world.link.dispatch('CHANNEL_INFO', { guild_id: '7', channels: [] })
  expect([await one.answer, await other.answer]).toEqual([[{ id: '70', status: 'Singing' }], []])
})

test('a chunk of members that names no question is no answer to what passes in channels', async () => {
  const { answer } = await begun(ask.channelInfo(APPLICATION, '7', ['status'], stop))
  world.link.dispatch('GUILD_MEMBERS_CHUNK', { guild_id: '7', members: [], chunk_index: 0, chunk_count: 1 })
  world.link.dispatch('CHANNEL_INFO', { guild_id: '7', channels: ['70'] })
  expect(await answer).toEqual(['70'])
})

describe('a question', () => {
  test('about a guild that the bot is not in is refused', async () => {
    await expect((await begun(ask.channelInfo(APPLICATION, '9', ['status'], stop))).answer).rejects.toMatchObject({
      error: 'INVALID_GUILD',
    })
  })

  test('without a bot, or without the gateway, is refused', async () => {
    await expect(ask.channelInfo('2', '7', ['status'], stop)).rejects.toThrow('sallyport login --bot')
    await expect(noGatewayQuestions.channelInfo('2', '7', ['status'], stop)).rejects.toThrow('--gateway off')
    expect(world.links).toEqual([])
  })

  test.each([
    ['is given up', () => stop.stop(), 'TRANSACTION_ABORTED'],
    ['loses its session', () => world.link.ready(HARBOUR), 'SERVICE_UNAVAILABLE'],
    ['loses its connection for good', () => world.source.botChanged(APPLICATION), 'SERVICE_UNAVAILABLE'],
    ['finds the gateway closed to its bot', () => world.link.become({ name: 'ended', closeCode: 4004 }), 'SERVICE_UNAVAILABLE'],
  ])('that %s ends', async (_, happen, error) => {
    const { answer } = await begun(ask.members(APPLICATION, BY_NAME, stop))
    happen()
    await expect(answer).rejects.toMatchObject({ error })
  })

  test('outlives a break after which the session goes on', async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, BY_NAME, stop))
    world.link.become({ name: 'waiting' })
    world.link.resumed()
    chunk(nonce, 0, 1, 'ann')
    expect((await answer).members).toEqual(['ann'])
  })

  test('that cannot be sent, or finds the gateway closed to its bot, says why', async () => {
    const question = ask.members(APPLICATION, BY_NAME, stop)
    question.catch(() => {})
    await turns()
    world.link.become({ name: 'ended', reason: 'The token is not valid.', closeCode: 4004 })
    await expect(question).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: 'The token is not valid.' })
  })

  test('keeps the connection for a while, and no longer', async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, BY_NAME, stop))
    world.clock.advance(IDLE_MS * 2)
    chunk(nonce, 0, 1)
    await answer
    await turns()
    expect(world.open).toHaveLength(1)
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.open, world.clock.pending]).toEqual([[], 0])
  })

  test('is one of so many', async () => {
    const questions = Array.from({ length: LIMITS.gatewayAsks.value + 1 }, () => ask.members(APPLICATION, BY_NAME, stop))
    for (const one of questions) one.catch(() => {})
    await turns()
    world.link.ready(HARBOUR)
    await expect(questions.at(-1)).rejects.toMatchObject({ error: 'RATE_LIMITED' })
    world.bots.add('2')
    const { answer, nonce } = await begun(ask.members('2', BY_NAME, stop))
    chunk(nonce, 0, 1, 'of another application')
    expect((await answer).members).toEqual(['of another application'])
  })
})
