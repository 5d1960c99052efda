/** Present and omitted fields of the sandbox's records. */
import { ENDPOINTS, Interaction } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WORLD } from '@sallyport/sandbox/seed/world'
import { BOT, refusal } from '../answers.ts'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'
import { channelNamed, guildNamed } from '../uploads.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const asBot = (method: string, path: string, json?: unknown) =>
  harness.send(method, path, { token: BOT, ...(json === undefined ? {} : { json }) })
const createInteraction = async (more: object) => {
  const { text } = await harness.send('POST', '~sandbox/interactions', { json: { application_id: APPLICATION, user: 'ada', ...more } })
  return Interaction().parse(JSON.parse(text))
}

describe('a channel', () => {
  it('has no voice status, which only the gateway sends', { tags: ['2.2-7'] }, async () => {
    const room = await channelNamed(harness, 'Harbour', 'Engine Room')
    expect((await asBot('PUT', `/channels/${room}/voice-status`, { status: 'Full steam' })).status).toBe(204)
    const { text } = await asBot('GET', `/guilds/${(await guildNamed(harness, 'Harbour')).id}/channels`)
    expect(text).not.toContain('Full steam')
    const shown = (JSON.parse(text) as { id: string }[]).find(({ id }) => id === room)
    expect(shown).not.toHaveProperty('status')
    expect(shown).not.toHaveProperty('voice_start_time')
  })

  it('of a group has no application_id, not even null', { tags: ['2.2-2'] }, async () => {
    const { channel, context } = await createInteraction({ context: 2, installed: ['user'] })
    expect([context, channel?.type]).toEqual([2, 3])
    expect(channel).not.toHaveProperty('application_id')
  })
})

describe('a direct message', () => {
  it('names its application', { tags: ['2.2-54'] }, async () => {
    const { access_token: token } = await harness.signIn('identify sdk.social_layer')
    const path = `/users/${await harness.idOf('grace')}/messages`
    const sent = await harness.send('POST', path, { token, json: { content: 'Ahoy' } })
    expect(sent.json['application_id']).toBe(APPLICATION)
    const read = JSON.parse((await harness.send('GET', path, { token })).text) as object[]
    expect(read).toMatchObject([{ content: 'Ahoy', application_id: APPLICATION }])
  })
})

describe('a guild', () => {
  it('has gradients only where ENHANCED_ROLE_COLORS allows them', { tags: ['2.2-21'] }, async () => {
    const withGradients = WORLD.guilds.filter(({ roles }) => roles.some(({ colors }) => colors.length > 1))
    expect(withGradients.map(({ name }) => name)).toEqual(['Harbour'])
    const { access_token: token } = await harness.signIn('identify guilds')
    const guilds = JSON.parse((await harness.send('GET', '/users/@me/guilds', { token })).text) as { name: string; features: string[] }[]
    const allowed = guilds.filter(({ features }) => features.includes('ENHANCED_ROLE_COLORS'))
    expect(allowed.map(({ name }) => name)).toEqual(['Harbour'])
  })

  it('takes gradients and icons of roles only with the features', { tags: ['2.2-21'] }, async () => {
    const [harbour, lighthouse] = [(await guildNamed(harness, 'Harbour')).id, (await guildNamed(harness, 'Lighthouse')).id]
    await harness.send('POST', '~sandbox/roles', {
      json: { guild: 'Lighthouse', name: 'Bots', permissions: ['MANAGE_ROLES'], members: [null] },
    })
    const create = async (guild: string, body: object) => {
      const { status, json } = await asBot('POST', `/guilds/${guild}/roles`, body)
      return status === 200 ? json : [status, json['code']]
    }
    for (const body of [
      { colors: { primary_color: 1, secondary_color: 2 } },
      { unicode_emoji: '⚓' },
      { icon: 'data:image/png;base64,AAAA' },
    ]) {
      expect(await create(lighthouse, body), JSON.stringify(body)).toEqual([400, 50_101])
      expect(await create(harbour, body)).toMatchObject('icon' in body ? { icon: expect.stringMatching(/^[0-9a-f]{32}$/) } : body)
    }
    expect(await create(lighthouse, { color: 7 })).toMatchObject({ color: 7, colors: { primary_color: 7, secondary_color: null } })
  })

  it('repeats permissions as permissions_new, and overwrites as allow_new and deny_new', { tags: ['2.2-14', '2.2-15'] }, async () => {
    const { id } = await guildNamed(harness, 'Harbour')
    const { access_token: token } = await harness.signIn('identify guilds')
    const read = async (path: string, by: string) =>
      JSON.parse((await harness.send('GET', path, { token: by })).text) as Record<string, unknown>[]
    for (const one of [...(await read('/users/@me/guilds', token)), ...(await read(`/guilds/${id}/roles`, BOT))])
      expect(one['permissions_new']).toBe(one['permissions'])
    await harness.send('POST', '~sandbox/channels', {
      json: { channel: 'general', overwrites: [{ role: 'Crew', deny: ['SEND_MESSAGES'] }] },
    })
    const overwrites = (await read(`/guilds/${id}/channels`, BOT)).flatMap(
      (one) => one['permission_overwrites'] as Record<string, unknown>[],
    )
    expect(overwrites.length).toBeGreaterThan(0)
    for (const one of overwrites) expect([one['allow_new'], one['deny_new']]).toEqual([one['allow'], one['deny']])
  })
})

describe('a voice channel', () => {
  it('keeps its settings', async () => {
    const { id } = await guildNamed(harness, 'Harbour')
    const settings = { bitrate: 96_000, user_limit: 5, rtc_region: 'rotterdam', video_quality_mode: 2, nsfw: true }
    const made = await asBot('POST', `/guilds/${id}/channels`, { name: 'Bridge', type: 2, ...settings })
    expect(made.json).toMatchObject(settings)
    const changed = await asBot('PATCH', `/channels/${String(made.json['id'])}`, { user_limit: 0, rtc_region: null })
    expect(changed.json).toMatchObject({ ...settings, user_limit: 0, rtc_region: null })
  })

  it('gets a member who is moved there, and no one who is not in voice', async () => {
    const { id } = await guildNamed(harness, 'Harbour')
    const [from, to] = [
      await channelNamed(harness, 'Harbour', 'Engine Room'),
      String((await asBot('POST', `/guilds/${id}/channels`, { name: 'Bridge', type: 2 })).json['id']),
    ]
    const move = async (channel_id: string | null) => asBot('PATCH', `/guilds/${id}/members/${await harness.idOf('ada')}`, { channel_id })
    expect(refusal(await move(to))).toEqual([400, 40_032])
    await harness.send('POST', '~sandbox/channels', { json: { channel: from, connected: ['ada'] } })
    expect((await move(to)).status).toBe(200)
    const where = async () => (await asBot('GET', `/guilds/${id}/voice-states/${await harness.idOf('ada')}`)).json['channel_id']
    expect(await where()).toBe(to)
    expect((await move(null)).status).toBe(200)
    expect(await where()).toBeUndefined()
  })
})

describe('an invite', () => {
  it('has seven fields of its roles', { tags: ['2.2-22'] }, async () => {
    const { id } = await guildNamed(harness, 'Harbour')
    const [role] = Object.keys((await asBot('GET', `/guilds/${id}/roles/member-counts`)).json)
    const path = `/channels/${await channelNamed(harness, 'Harbour', 'general')}/invites`
    await asBot('POST', path, { role_ids: [role] })
    const listed = await asBot('GET', path)
    expect(ENDPOINTS.GET_CHANNEL_INVITES.response.safeParse(JSON.parse(listed.text)).error).toBeUndefined()
    const [invite] = JSON.parse(listed.text) as { roles: object[] }[]
    expect(invite?.roles.map((one) => Object.keys(one).toSorted())).toEqual([
      ['color', 'colors', 'icon', 'id', 'name', 'position', 'unicode_emoji'],
    ])
  })
})

describe('the application', () => {
  it('keeps the address to which events are sent, and which', { tags: ['6-23'] }, async () => {
    const events = {
      event_webhooks_url: 'https://game.example/events',
      event_webhooks_status: 2,
      event_webhooks_types: ['APPLICATION_DEAUTHORIZED', 'LOBBY_MESSAGE_CREATE'],
    }
    expect((await asBot('PATCH', '/applications/@me', events)).status).toBe(200)
    expect((await asBot('GET', '/applications/@me')).json).toMatchObject(events)
  })
})

describe('the provided install link', () => {
  it('requests applications.commands in both contexts; a custom link stays as it is', { tags: ['5-10'] }, async () => {
    const scopesIn = async () => {
      const { integration_types_config: config } = (await asBot('GET', '/applications/@me')).json as {
        integration_types_config: Record<string, { oauth2_install_params: { scopes: string[] } }>
      }
      return ['0', '1'].map((context) => config[context]?.oauth2_install_params.scopes)
    }
    const bot = { '0': { oauth2_install_params: { scopes: ['bot'] } }, '1': { oauth2_install_params: {} } }
    expect(await scopesIn()).toEqual([['applications.commands'], ['applications.commands']])
    await asBot('PATCH', '/applications/@me', { integration_types_config: bot })
    expect(await scopesIn()).toEqual([['bot', 'applications.commands'], ['applications.commands']])
    await asBot('PATCH', '/applications/@me', { integration_types_config: bot, custom_install_url: 'https://game.example/install' })
    expect(await scopesIn()).toEqual([['bot'], []])
  })
})

describe('a premium button', () => {
  const button = (sku_id: string) => ({ content: 'Buy', components: [{ type: 1, components: [{ type: 2, style: 6, sku_id }] }] })
  const skuNamed = async (name: string) => {
    const skus = JSON.parse((await asBot('GET', `/applications/${APPLICATION}/skus`)).text) as { id: string; name: string }[]
    return skus.find((sku) => sku.name === name)?.id ?? ''
  }

  it('sells an active SKU of its application, in messages, edits and answers', { tags: ['2.2-62'] }, async () => {
    const [active, inactive] = await Promise.all(['Brass Lantern', 'Tallow Candle'].map(skuNamed))
    const path = `/channels/${await channelNamed(harness, 'Harbour', 'general')}/messages`
    const answer = async (json: object) => {
      const { id, token } = await createInteraction({})
      return harness.send('POST', `/interactions/${id}/${token}/callback`, { json: { type: 4, data: json } })
    }
    const sold = await asBot('POST', path, button(active ?? ''))
    expect(sold.status).toBe(200)
    expect((await answer(button(active ?? ''))).status).toBe(204)
    for (const wrong of [inactive ?? '', '5']) {
      const refused = await asBot('POST', path, button(wrong))
      expect(refusal(refused)).toEqual([400, 50_035])
      expect(refused.json['errors']).toMatchObject({ components: { 0: { components: { 0: { sku_id: {} } } } } })
      expect(refusal(await asBot('PATCH', `${path}/${String(sold.json['id'])}`, button(wrong)))).toEqual([400, 50_035])
      expect(refusal(await answer(button(wrong)))).toEqual([400, 50_035])
    }
  })
})
