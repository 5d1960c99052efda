/** What games get without the platform's own client: interactions of their application, relationships, guilds and channels; with the default scopes. */
import { DEFAULT_COMMUNICATION_SCOPES, type SallyportClient } from '@sallyport/client'
import type { Interaction } from '@sallyport/protocol'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { stateOf } from './support/bridge-state.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const APPLICATION = '888000107'
const BOT = `sandbox-bot-${APPLICATION}`

let at: Folders
let daemon: Daemon
let game: SallyportClient

const post = async (url: string, body: object, method = 'POST', authorization = ''): Promise<Record<string, unknown>> => {
  const headers = { 'Content-Type': 'application/json', ...(authorization === '' ? {} : { Authorization: authorization }) }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  expect(answer.status, url).toBeLessThan(300)
  return JSON.parse((await answer.text()) || '{}') as Record<string, unknown>
}
const control = (name: string, body: object) => post(`${daemon.origin}/sandbox/${name}`, body)

async function signedIn(username: string): Promise<SallyportClient> {
  const client = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime, requireBridge: true })
  const place = { authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }
  await client.call('AUTHENTICATE', { access_token: await sandboxToken(place, username, APPLICATION, DEFAULT_COMMUNICATION_SCOPES) })
  return client
}

beforeAll(async () => {
  at = await folders()
  daemon = await startDaemon(SOURCE, at, ['--webhook-port', '0'], { SALLYPORT_BOT_TOKEN: BOT })
  game = await signedIn('ada')
})
afterAll(async () => {
  await game.close()
  await daemon.stop()
  await at.remove()
})

test('an interaction reaches the game by the gateway, then at the endpoint, and the game responds to it', async () => {
  const received: Interaction[] = []
  await game.on('INTERACTION_CREATE', (interaction) => received.push(interaction)).active
  const answer = async (content: string): Promise<unknown> => {
    const count = received.length
    // Until the bot is connected, the platform has nowhere to send an interaction.
    await vi.waitFor(async () => {
      await control('interactions', { application_id: APPLICATION, user: 'mary', answer_within_ms: 60_000 })
      await vi.waitFor(() => expect(received.length).toBeGreaterThan(count), { timeout: 500 })
    }, SOON)
    const { id, token } = received.at(-1) as Interaction
    await game.call('CREATE_INTERACTION_RESPONSE', { interaction_id: id, interaction_token: token, type: 4, data: { content } })
    const original = await game.call('GET_ORIGINAL_INTERACTION_RESPONSE', { application_id: APPLICATION, interaction_token: token })
    return original.content
  }
  expect(await answer('by the gateway')).toBe('by the gateway')
  const url = `${String(daemon.ready.webhooks).replace('/webhooks/', '/interactions/')}${APPLICATION}`
  await post(`${daemon.ready.apiBase}/applications/@me`, { interactions_endpoint_url: url }, 'PATCH', `Bot ${BOT}`)
  expect(await answer('at the endpoint')).toBe('at the endpoint')
  const { counters } = await stateOf(daemon)
  expect(counters).toMatchObject({ webhook_pings: 1, webhook_refused: 1 })
  expect(counters.webhook_events).toBeGreaterThan(0)
})

test('relationships, guilds and channels are there with the default scopes', async () => {
  await control('relationships', { user: 'ada', other: 'mary', type: 'friend' })
  const { relationships } = await game.call('GET_RELATIONSHIPS')
  expect(relationships.map(({ type, user }) => [type, user.username])).toContainEqual([1, 'mary'])
  const { guilds } = await game.call('GET_GUILDS')
  const harbour = guilds.find(({ name }) => name === 'Harbour')
  expect(harbour).toMatchObject({ icon_url: null })
  const guild_id = harbour?.id ?? ''
  expect(await game.call('GET_GUILD', { guild_id })).toMatchObject({ id: guild_id, name: 'Harbour' })
  const { channels } = await game.call('GET_CHANNELS', { guild_id })
  const general = channels.find(({ name }) => name === 'general')
  expect(await game.call('GET_CHANNEL', { channel_id: general?.id ?? '' })).toMatchObject({ guild_id, name: 'general', type: 0 })
  const statuses: string[] = []
  await game.on('GUILD_STATUS', { guild_id }, ({ guild }) => statuses.push(guild.name)).active
  await vi.waitFor(() => expect(statuses).toEqual(['Harbour']), SOON)
})

test('a subscription that nothing brings says so', async () => {
  const subscribe = (event: string) => game.request('SUBSCRIBE', {}, { event })
  expect(await subscribe('ACTIVITY_SPECTATE')).toMatchObject({ unserved: expect.stringContaining('desktop client') })
  for (const event of ['APPLICATION_AUTHORIZED', 'RELATIONSHIP_UPDATE', 'INTERACTION_CREATE'])
    expect(await subscribe(event)).toEqual({ evt: event })
})
