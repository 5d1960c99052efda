import { BUDGETS } from '@sallyport/core/budgets'
import { GATEWAY_INTENTS, LIMITS } from '@sallyport/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller } from '@sallyport/core/cancel'
import { botDemand } from '#daemon/src/events/providers/gateway/demand.ts'
import { createBotRequests, type BotRequests, noBotRequests } from '#daemon/src/events/providers/gateway/bot-requests.ts'
import { APPLICATION, GatewayWorld, IDLE_MS, turns } from '#test/support/gateway-world.ts'

const HARBOUR = { id: '7', name: 'Harbour' }
const LIGHTHOUSE = { id: '8', name: 'Lighthouse' }
const MEMBERS = 1 << 14
const ALL_MEMBERS = { guildId: '7', query: '', limit: 0 }
const BY_NAME = { guildId: '7', query: 'a', limit: 100 }

let world: GatewayWorld
let ask: BotRequests
let stop: Canceller
beforeEach(() => {
  world = new GatewayWorld()
  world.bots.add(APPLICATION)
  world.flags = MEMBERS
  ask = createBotRequests(world.provider)
  stop = new Canceller()
})

/** Sends a request, and opens the connection of the bot. */
async function begun<T>(request: Promise<T>): Promise<{ readonly answer: Promise<T>; readonly nonce: string }> {
  request.catch(() => {})
  await turns()
  if (world.connection.state.name !== 'live') world.connection.ready(HARBOUR)
  await turns()
  return { answer: request, nonce: (world.connection.sent.at(-1)?.d as { nonce: string } | undefined)?.nonce ?? '' }
}
const chunk = (nonce: string, index: number, count: number, ...members: readonly string[]) =>
  world.connection.dispatch('GUILD_MEMBERS_CHUNK', {
    guild_id: '7',
    nonce,
    chunk_index: index,
    chunk_count: count,
    members,
    not_found: index === 0 ? ['9'] : [],
  })

describe('members', () => {
  test('come in chunks, which form one response, despite repeated and foreign chunks', { tags: ['1-14', '4.2-15', '6-4'] }, async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    expect(world.connection.sent).toEqual([{ op: 8, d: { guild_id: '7', query: '', limit: 0, nonce } }])
    expect(Buffer.byteLength(nonce)).toBeLessThanOrEqual(32)
    chunk('of-another', 0, 1, 'zed')
    chunk(nonce, 0, 3, 'ann')
    chunk(nonce, 0, 3, 'ann')
    chunk(nonce, 2, 3, 'cid')
    chunk(nonce, 1, 3, 'bob')
    expect(await answer).toEqual({ members: ['ann', 'cid', 'bob'], notFound: ['9'], presences: [] })
  })

  test('all of them may be requested once per interval and guild; some of them always', { tags: ['8-1', '6-4'] }, async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    chunk(nonce, 0, 1, 'ann')
    await answer
    world.clock.advance(10_000)
    await expect(ask.members(APPLICATION, ALL_MEMBERS, stop)).rejects.toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 20 } })
    expect(world.connection.sent).toHaveLength(1)
    const some = await begun(ask.members(APPLICATION, BY_NAME, stop))
    chunk(some.nonce, 0, 1, 'ann')
    expect((await some.answer).members).toEqual(['ann'])
    world.clock.advance(20_000)
    const again = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    chunk(again.nonce, 0, 1, 'ann')
    expect((await again.answer).members).toEqual(['ann'])
  })

  test('all of them may be requested of another guild and by another bot meanwhile, each once', { tags: ['8-1'] }, async () => {
    world.bots.add('2')
    const ready = async (applicationId: string, guildId: string) => {
      const request = ask.members(applicationId, { guildId, query: '', limit: 0 }, stop)
      request.catch(() => {})
      await turns()
      if (world.connection.state.name !== 'live') world.connection.ready(HARBOUR, LIGHTHOUSE)
      await turns()
      const sent = world.connection.sent.at(-1)?.d as { nonce: string } | undefined
      world.connection.dispatch('GUILD_MEMBERS_CHUNK', {
        guild_id: guildId,
        nonce: sent?.nonce,
        chunk_index: 0,
        chunk_count: 1,
        members: [guildId],
      })
      return (await request).members
    }
    expect(await ready(APPLICATION, '7')).toEqual(['7'])
    expect(await ready(APPLICATION, '8')).toEqual(['8'])
    expect(await ready('2', '7')).toEqual(['7'])
    for (const [application, guildId] of [
      [APPLICATION, '7'],
      [APPLICATION, '8'],
      ['2', '7'],
    ] as const)
      await expect(ask.members(application, { guildId, query: '', limit: 0 }, stop)).rejects.toMatchObject({ error: 'RATE_LIMITED' })
  })

  test('an empty query with a limit is no request for all of them', { tags: ['8-1', '6-4'] }, async () => {
    const first = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    chunk(first.nonce, 0, 1, 'ann')
    await first.answer
    for (let count = 0; count < 2; count++) {
      const some = await begun(ask.members(APPLICATION, { ...ALL_MEMBERS, limit: 5 }, stop))
      chunk(some.nonce, 0, 1, 'ann')
      expect((await some.answer).members).toEqual(['ann'])
    }
  })

  test('are requested with their presences, and by id, and what comes is in the response', { tags: ['4.2-15'] }, async () => {
    world.flags = MEMBERS | (1 << 12)
    const { answer, nonce } = await begun(ask.members(APPLICATION, { guildId: '7', userIds: ['5', '9'], presences: true }, stop))
    expect(world.connection.sent).toEqual([{ op: 8, d: { guild_id: '7', user_ids: ['5', '9'], presences: true, nonce } }])
    const presence = { user: { id: '5' }, status: 'online' }
    world.connection.dispatch('GUILD_MEMBERS_CHUNK', { guild_id: '7', nonce, members: ['ann'], not_found: ['9'], presences: [presence] })
    expect(await answer).toEqual({ members: ['ann'], notFound: ['9'], presences: [presence] })
  })

  test('all of them may be requested again after the clock was set back', async () => {
    const first = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    chunk(first.nonce, 0, 1)
    await first.answer
    world.clock.setBack(3_600_000)
    const { answer, nonce } = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    chunk(nonce, 0, 1, 'ann')
    expect((await answer).members).toEqual(['ann'])
  })

  test('that the platform limits are RATE_LIMITED', { tags: ['6-3', '7-9'] }, async () => {
    const one = await begun(ask.members(APPLICATION, BY_NAME, stop))
    const other = await begun(ask.members(APPLICATION, BY_NAME, stop))
    world.connection.dispatch('RATE_LIMITED', { opcode: 8, retry_after: 12.5, meta: { guild_id: '7', nonce: other.nonce } })
    await expect(other.answer).rejects.toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 12.5 } })
    world.connection.dispatch('RATE_LIMITED', { opcode: 8, retry_after: 1, meta: { guild_id: '8' } })
    chunk(one.nonce, 0, 1)
    expect((await one.answer).members).toEqual([])
  })

  test.each(['members', 'not_found', 'presences'])('have a limit for %s', async (list) => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    const d = { guild_id: '7', nonce, chunk_count: 9 }
    world.connection.dispatch('GUILD_MEMBERS_CHUNK', {
      ...d,
      chunk_index: 0,
      [list]: Array<string>(LIMITS.membersResponse.value).fill('1'),
    })
    world.connection.dispatch('GUILD_MEMBERS_CHUNK', { ...d, chunk_index: 1, [list]: ['2'] })
    await expect(answer).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
  })

  test('without a chunk count end too', async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    for (let index = 0; index <= LIMITS.membersResponse.value; index++)
      world.connection.dispatch('GUILD_MEMBERS_CHUNK', { guild_id: '7', nonce, chunk_index: index, chunk_count: Number.MAX_SAFE_INTEGER })
    await expect(answer).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
  })

  test('that could not be sent do not count: all of them may be requested at once', async () => {
    const release = world.provider.acquire(botDemand(APPLICATION, GATEWAY_INTENTS.GUILD_MEMBERS))
    await turns()
    world.connection.ready(HARBOUR)
    world.connection.failure = new BridgeError('SERVICE_UNAVAILABLE', 'The connection is not there now.')
    for (let tries = 0; tries < 2; tries++)
      await expect(ask.members(APPLICATION, ALL_MEMBERS, stop)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    release()
  })

  test('all of them, and presences, need intents of the application', async () => {
    world.flags = 0
    await expect((await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))).answer).rejects.toThrow('GUILD_MEMBERS')
    await expect((await begun(ask.members(APPLICATION, { ...BY_NAME, presences: true }, stop))).answer).rejects.toThrow('GUILD_PRESENCES')
    expect(world.connection.sent).toEqual([])
  })
})

test('channel info is requested and received, the earliest request first', { tags: ['2.2-8', '4.2-16', '6-6'] }, async () => {
  const one = await begun(ask.channelInfo(APPLICATION, '7', ['status'], stop))
  const other = await begun(ask.channelInfo(APPLICATION, '7', ['voice_start_time'], stop))
  expect(world.connection.sent).toEqual([
    { op: 43, d: { guild_id: '7', fields: ['status'] } },
    { op: 43, d: { guild_id: '7', fields: ['voice_start_time'] } },
  ])
  world.connection.dispatch('CHANNEL_INFO', { guild_id: '8', channels: ['of another guild'] })
  world.connection.dispatch('CHANNEL_INFO', { guild_id: '7', channels: [{ id: '70', status: 'Singing' }] })
  world.connection.dispatch('CHANNEL_INFO', { guild_id: '7', channels: [{ id: '70', voice_start_time: 1_763_726_400 }] })
  expect([await one.answer, await other.answer]).toEqual([
    [{ id: '70', status: 'Singing' }],
    [{ id: '70', voice_start_time: 1_763_726_400 }],
  ])
})

test('a chunk of members without a nonce is no response to a request for channel info', async () => {
  const { answer } = await begun(ask.channelInfo(APPLICATION, '7', ['status'], stop))
  world.connection.dispatch('GUILD_MEMBERS_CHUNK', { guild_id: '7', members: [], chunk_index: 0, chunk_count: 1 })
  world.connection.dispatch('CHANNEL_INFO', { guild_id: '7', channels: ['70'] })
  expect(await answer).toEqual(['70'])
})

describe('a request', () => {
  test('about a guild without the bot is refused', async () => {
    await expect((await begun(ask.channelInfo(APPLICATION, '9', ['status'], stop))).answer).rejects.toMatchObject({
      error: 'INVALID_GUILD',
    })
  })

  test('without a bot, or without the gateway, is refused', async () => {
    await expect(ask.channelInfo('2', '7', ['status'], stop)).rejects.toThrow('sallyport login --bot')
    await expect(noBotRequests.channelInfo('2', '7', ['status'], stop)).rejects.toThrow('--gateway off')
    expect(world.connections).toEqual([])
  })

  test.each([
    ['is given up', () => stop.cancel(), 'TRANSACTION_ABORTED'],
    ['loses its session', () => world.connection.ready(HARBOUR), 'SERVICE_UNAVAILABLE'],
    ['loses its connection for good', () => world.provider.botChanged(APPLICATION), 'SERVICE_UNAVAILABLE'],
    ['finds the gateway closed to its bot', () => world.connection.setState({ name: 'ended', closeCode: 4004 }), 'SERVICE_UNAVAILABLE'],
  ])('that %s ends', async (_, happen, error) => {
    const { answer } = await begun(ask.members(APPLICATION, BY_NAME, stop))
    happen()
    await expect(answer).rejects.toMatchObject({ error })
  })

  test('survives an outage after which the session resumes', async () => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, BY_NAME, stop))
    world.connection.setState({ name: 'waiting' })
    world.connection.resumed()
    chunk(nonce, 0, 1, 'ann')
    expect((await answer).members).toEqual(['ann'])
  })

  test('that cannot be sent, or whose bot is refused, fails with a reason', async () => {
    const request = ask.members(APPLICATION, BY_NAME, stop)
    request.catch(() => {})
    await turns()
    world.connection.setState({ name: 'ended', reason: 'The token is not valid.', closeCode: 4004 })
    await expect(request).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: 'The token is not valid.' })
  })

  test('keeps the connection open for a limited time', async () => {
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

  test('counts towards a limit', async () => {
    const requests = Array.from({ length: BUDGETS.gatewayPendingRequests.value + 1 }, () => ask.members(APPLICATION, BY_NAME, stop))
    for (const one of requests) one.catch(() => {})
    await turns()
    world.connection.ready(HARBOUR)
    await expect(requests.at(-1)).rejects.toMatchObject({ error: 'RATE_LIMITED' })
    world.bots.add('2')
    const { answer, nonce } = await begun(ask.members('2', BY_NAME, stop))
    chunk(nonce, 0, 1, 'of another application')
    expect((await answer).members).toEqual(['of another application'])
  })
})

describe('a privileged intent', () => {
  const MINUTE_MS = 60_000
  const denied = { error: 'INVALID_PERMISSIONS' }
  const answered = async (): Promise<readonly unknown[]> => {
    const { answer, nonce } = await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))
    chunk(nonce, 0, 1, 'ann')
    return (await answer).members
  }

  test('allowed while a subscription waits for it is noticed within a minute, and the status follows', async () => {
    world.flags = 0
    await world.subscribe(world.session(), 'GUILD_MEMBER_ADD', { guild_id: '7' })
    world.connection.ready(HARBOUR)
    await expect(ask.members(APPLICATION, ALL_MEMBERS, stop)).rejects.toMatchObject(denied)
    expect(world.provider.health().reason).toContain('GUILD_MEMBERS')
    world.flags = MEMBERS
    world.clock.advance(MINUTE_MS)
    await turns()
    world.connection.ready(HARBOUR)
    expect(world.connections).toHaveLength(2)
    expect(world.connection.options.intents & GATEWAY_INTENTS.GUILD_MEMBERS).not.toBe(0)
    expect(world.provider.health()).toEqual({ state: 'active' })
    expect(await answered()).toEqual(['ann'])
  })

  test('is looked up once a minute while something waits for it, and never without demand', async () => {
    world.flags = 0
    const game = world.session()
    await world.subscribe(game, 'GUILD_MEMBER_ADD', { guild_id: '7' })
    world.connection.ready(HARBOUR)
    expect(world.flagReads).toBe(1)
    for (let minute = 0; minute < 3; minute++) {
      world.clock.advance(MINUTE_MS)
      await turns()
    }
    expect(world.flagReads).toBe(4)
    world.hub.unsubscribe(game.session, { name: 'GUILD_MEMBER_ADD', args: { guild_id: '7' } })
    await turns()
    world.clock.advance(IDLE_MS)
    await turns()
    expect([world.open, world.clock.pending]).toEqual([[], 0])
  })

  test('allowed between two requests is there for the second one', async () => {
    world.flags = 0
    const release = world.provider.acquire(botDemand(APPLICATION, 0))
    await expect((await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))).answer).rejects.toMatchObject(denied)
    world.flags = MEMBERS
    world.clock.advance(MINUTE_MS)
    const request = ask.members(APPLICATION, ALL_MEMBERS, stop)
    await turns()
    world.connection.ready(HARBOUR)
    await turns()
    chunk((world.connection.sent.at(-1)?.d as { nonce: string } | undefined)?.nonce ?? '', 0, 1, 'ann')
    expect((await request).members).toEqual(['ann'])
    release()
  })

  test('withdrawn by its flag is refused at the next request, a minute later at most', async () => {
    const release = world.provider.acquire(botDemand(APPLICATION, 0))
    expect(await answered()).toEqual(['ann'])
    world.flags = 0
    world.clock.advance(MINUTE_MS)
    await expect((await begun(ask.members(APPLICATION, ALL_MEMBERS, stop))).answer).rejects.toMatchObject(denied)
    expect(world.provider.health().reason).toContain('GUILD_MEMBERS')
    release()
  })

  test('refused by the gateway is left out; the other ones are kept, and it returns with its flag', async () => {
    const { GUILD_MEMBERS, GUILD_PRESENCES } = GATEWAY_INTENTS
    const PRESENCES = 1 << 12
    world.flags = MEMBERS | PRESENCES
    const release = world.provider.acquire(botDemand(APPLICATION, GUILD_MEMBERS | GUILD_PRESENCES))
    await turns()
    world.flags = PRESENCES
    world.connection.setState({ name: 'ended', closeCode: 4014 })
    await turns()
    expect(world.connection.options.intents & (GUILD_MEMBERS | GUILD_PRESENCES)).toBe(GUILD_PRESENCES)
    world.connection.ready(HARBOUR)
    world.flags = MEMBERS | PRESENCES
    world.clock.advance(MINUTE_MS)
    await turns()
    expect(world.connection.options.intents & GUILD_MEMBERS).toBe(GUILD_MEMBERS)
    release()
  })

  test('refused in spite of its flag is requested again after an hour', async () => {
    const release = world.provider.acquire(botDemand(APPLICATION, GATEWAY_INTENTS.GUILD_MEMBERS))
    await turns()
    world.connection.setState({ name: 'ended', closeCode: 4014 })
    await turns()
    expect(world.connection.options.intents & GATEWAY_INTENTS.GUILD_MEMBERS).toBe(0)
    world.connection.ready(HARBOUR)
    for (let minute = 0; minute < 59; minute++) {
      world.clock.advance(MINUTE_MS)
      await turns()
    }
    expect(world.connections).toHaveLength(2)
    world.clock.advance(MINUTE_MS)
    await turns()
    expect(world.connections).toHaveLength(3)
    release()
  })
})
