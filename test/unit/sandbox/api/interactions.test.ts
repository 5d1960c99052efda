/** Interactions of the sandbox: created on demand, answered by token, and expired. */
import { Interaction } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
let channel: string
beforeEach(async () => {
  harness = await startHarness()
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as {
    guilds: { channels: { id: string; name: string }[] }[]
  }
  channel = guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'general')?.id ?? ''
})
afterEach(() => harness.close())

const createInteraction = async (more: object = {}): Promise<Interaction> => {
  const { status, text } = await harness.send('POST', '~sandbox/interactions', {
    json: { application_id: APPLICATION, user: 'ada', channel_id: channel, ...more },
  })
  expect(status, text).toBe(201)
  return Interaction().parse(JSON.parse(text))
}
const callback = ({ id, token }: Interaction, body: object, query = ''): Promise<Answer> =>
  harness.send('POST', `/interactions/${id}/${token}/callback${query}`, { json: body })
const hook = ({ token }: Interaction, rest = '') => `/webhooks/${APPLICATION}/${token}${rest}`
const original = (interaction: Interaction) => hook(interaction, '/messages/@original')

describe('creating an interaction', () => {
  it('has all fields of the interaction', { tags: ['2.2-38', '2.2-41', '2.2-42', '2.2-39'] }, async () => {
    const interaction = await createInteraction({ channels: [channel], installed: ['guild', 'user'] })
    const ada = await harness.idOf('ada')
    expect(interaction).toMatchObject({
      type: 2,
      context: 0,
      channel_id: channel,
      attachment_size_limit: 10_485_760,
      member: { user: { id: ada } },
      authorizing_integration_owners: { '0': interaction.guild_id, '1': ada },
    })
    expect(BigInt(interaction.app_permissions)).toBeGreaterThan(0n)
    expect(interaction.data?.resolved?.channels?.[channel]?.app_permissions).toBe(interaction.app_permissions)
  })

  it('serializes the owners and permissions in direct messages too', { tags: ['2.2-39', '2.2-40', '2.2-38'] }, async () => {
    const {
      context,
      authorizing_integration_owners: owners,
      app_permissions,
      user,
      guild_id,
    } = await createInteraction({ channel_id: undefined })
    expect({ context, owners, guild_id }).toEqual({ context: 1, owners: { '0': '0' }, guild_id: undefined })
    expect([BigInt(app_permissions) > 0n, user?.username]).toEqual([true, 'ada'])
  })

  it('leaves the permissions of a resolved channel out where the bot is no member', { tags: ['2.2-42'] }, async () => {
    const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as {
      guilds: { name: string; channels: { id: string }[] }[]
    }
    const dock = guilds.find(({ name }) => name === 'Dry Dock')?.channels[0]?.id ?? ''
    const { data, app_permissions } = await createInteraction({ user: 'linus', channel_id: dock, channels: [dock], installed: ['user'] })
    expect(data?.resolved?.channels?.[dock]).toBeDefined()
    expect(data?.resolved?.channels?.[dock]?.app_permissions).toBeUndefined()
    expect(BigInt(app_permissions)).toBeGreaterThan(0n)
  })

  it('refuses what cannot happen', async () => {
    const send = (json: object) =>
      harness.send('POST', '~sandbox/interactions', { json: { application_id: APPLICATION, user: 'ada', ...json } })
    expect(refusal(await send({ user: 'unknown' }))).toEqual([404, 10013])
    expect(refusal(await send({ channel_id: '1' }))).toEqual([404, 10003])
    expect(refusal(await send({ context: 0 }))).toEqual([400, 50035])
    expect(refusal(await send({ command_id: '1' }))).toEqual([404, 10063])
  })

  it('checks the contexts and installations of the command', { tags: ['2.2-43'] }, async () => {
    const { json } = await harness.send('POST', `/applications/${APPLICATION}/commands`, {
      token: `Bot sandbox-bot-${APPLICATION}`,
      json: { name: 'sail', description: 'Set sail', contexts: [0], integration_types: [1] },
    })
    const send = (more: object) =>
      harness.send('POST', '~sandbox/interactions', {
        json: { application_id: APPLICATION, user: 'ada', command_id: json['id'], ...more },
      })
    expect((await send({ channel_id: channel, installed: ['user'] })).json).toMatchObject({ data: { name: 'sail', id: json['id'] } })
    expect(refusal(await send({ channel_id: channel }))).toEqual([400, 50035])
    expect(refusal(await send({ installed: ['user'] }))).toEqual([400, 50035])
  })
})

describe('the first answer', () => {
  it('is a message with its interaction', { tags: ['1-17', '2.2-35', '2.2-36'] }, async () => {
    const interaction = await createInteraction()
    const answer = await callback(interaction, { type: 4, data: { content: 'Ahoy', flags: 64 } }, '?with_response=true')
    expectShape('CREATE_INTERACTION_RESPONSE', answer)
    expect(answer.json).toMatchObject({
      interaction: { id: interaction.id, type: 2, response_message_ephemeral: true, response_message_loading: false },
      resource: { type: 4, message: { content: 'Ahoy', flags: 64 } },
    })
    const message = await harness.send('GET', original(interaction))
    expectShape('GET_ORIGINAL_INTERACTION_RESPONSE', message)
    expect(message.json).toMatchObject({
      channel_id: channel,
      interaction_metadata: {
        id: interaction.id,
        user: { username: 'ada' },
        authorizing_integration_owners: { '0': interaction.guild_id },
      },
    })
    expect(JSON.stringify(message.json)).not.toContain('user_id')
  })

  it('is given once, in time, and with nothing to read unless asked', { tags: ['1-17'] }, async () => {
    const interaction = await createInteraction()
    expectShape('CREATE_INTERACTION_RESPONSE', await callback(interaction, { type: 12 }))
    expect(refusal(await callback(interaction, { type: 12 }))).toEqual([400, 40060])
    const late = await createInteraction()
    harness.clock.advance(3001)
    expect(refusal(await callback(late, { type: 12 }))).toEqual([404, 10062])
    expect(refusal(await callback({ ...late, id: '1' }, { type: 12 }))).toEqual([404, 10062])
  })

  it.each([
    [1, [1]],
    [2, [4, 5, 9, 10, 12]],
    [3, [4, 5, 6, 7, 9, 10, 12]],
    [4, [8]],
    [5, [4, 5, 6, 7, 10, 12]],
    [6, [13]],
  ])('of an interaction of type %i is one of %j', async (type, accepted) => {
    const { json: before } = await harness.send('POST', `/channels/${channel}/messages`, {
      token: `Bot sandbox-bot-${APPLICATION}`,
      json: { content: 'Press' },
    })
    const data: Readonly<Record<number, object>> = {
      4: { content: 'Ahoy' },
      7: { content: 'Changed' },
      8: { choices: [] },
      9: { custom_id: 'f', title: 'Crew', components: [{ type: 10, content: 'x' }] },
      13: { eligible: true },
    }
    const found: number[] = []
    for (const one of [1, 4, 5, 6, 7, 8, 9, 10, 12, 13]) {
      const interaction = await createInteraction({ type, message_id: before['id'] })
      const { status } = await callback(interaction, { type: one, ...(data[one] === undefined ? {} : { data: data[one] }) })
      if (status < 300) found.push(one)
      else expect(status).toBe(400)
    }
    expect(found).toEqual(accepted)
  })

  it('can start the activity, and names its instance', { tags: ['6-21'] }, async () => {
    const { json } = await callback(await createInteraction(), { type: 12 }, '?with_response=true')
    expect(json).toMatchObject({ interaction: { activity_instance_id: expect.stringMatching(/^i-\d+$/) }, resource: { type: 12 } })
  })

  it('of a component can change its message', async () => {
    const { json: before } = await harness.send('POST', `/channels/${channel}/messages`, {
      token: `Bot sandbox-bot-${APPLICATION}`,
      json: { content: 'Press' },
    })
    const interaction = await createInteraction({ type: 3, message_id: before['id'] })
    await callback(interaction, { type: 7, data: { content: 'Pressed' } })
    expect((await harness.send('GET', original(interaction))).json).toMatchObject({ id: before['id'], content: 'Pressed' })
  })

  it('is deleted', async () => {
    const interaction = await createInteraction()
    await callback(interaction, { type: 4, data: { content: 'Ahoy' } })
    expectShape('DELETE_ORIGINAL_INTERACTION_RESPONSE', await harness.send('DELETE', original(interaction)))
    expect(refusal(await harness.send('GET', original(interaction)))).toEqual([404, 10008])
  })
})

describe('a deferred answer', () => {
  const poll = { question: { text: 'Where to?' }, answers: [{ poll_media: { text: 'Reef' } }] }

  it('may get a poll when it is written, and not later', { tags: ['4.1-rules-7'] }, async () => {
    const interaction = await createInteraction()
    await callback(interaction, { type: 5 })
    expect((await harness.send('GET', original(interaction))).json).toMatchObject({ flags: 128, content: '' })
    const written = await harness.send('PATCH', original(interaction), { json: { poll } })
    expectShape('EDIT_ORIGINAL_INTERACTION_RESPONSE', written)
    expect(written.json).toMatchObject({ flags: 0, poll, edited_timestamp: null })
    expect(refusal(await harness.send('PATCH', original(interaction), { json: { poll } }))).toEqual([400, 50035])
    const plain = await createInteraction()
    await callback(plain, { type: 4, data: { content: 'Ahoy' } })
    expect(refusal(await harness.send('PATCH', original(plain), { json: { poll } }))).toEqual([400, 50035])
  })

  it('is written by the first follow-up too, and stays ephemeral', async () => {
    const interaction = await createInteraction()
    await callback(interaction, { type: 5, data: { flags: 64 } })
    const { json } = await harness.send('POST', hook(interaction), { json: { content: 'Ahoy' } })
    expect(json).toMatchObject({ flags: 64, content: 'Ahoy', id: (await harness.send('GET', original(interaction))).json['id'] })
  })
})

describe('follow-ups', () => {
  it('are written, read, changed and deleted', async () => {
    const interaction = await createInteraction()
    await callback(interaction, { type: 4, data: { content: 'Ahoy' } })
    const made = await harness.send('POST', hook(interaction), { json: { content: 'More' } })
    expectShape('CREATE_FOLLOWUP_MESSAGE', made)
    const path = hook(interaction, `/messages/${String(made.json['id'])}`)
    expectShape('GET_FOLLOWUP_MESSAGE', await harness.send('GET', path))
    const changed = await harness.send('PATCH', path, { json: { content: 'Less' } })
    expectShape('EDIT_FOLLOWUP_MESSAGE', changed)
    expect(changed.json).toMatchObject({ content: 'Less', id: made.json['id'] })
    expectShape('DELETE_FOLLOWUP_MESSAGE', await harness.send('DELETE', path))
    expect(refusal(await harness.send('GET', path))).toEqual([404, 10008])
  })

  it('are five when only the user installed the application', { tags: ['4.1-rules-8', '8-17'] }, async () => {
    const count = async (installed: readonly string[]): Promise<unknown[]> => {
      const interaction = await createInteraction({ installed })
      await callback(interaction, { type: 12 })
      const answers: unknown[] = []
      for (let index = 0; index < 6; index++) {
        const { status, json } = await harness.send('POST', hook(interaction), { json: { content: `${index}` } })
        answers.push(status === 200 ? status : [status, json['code']])
      }
      return answers
    }
    expect(await count(['user'])).toEqual([200, 200, 200, 200, 200, [400, 40094]])
    expect(await count(['guild'])).toEqual([200, 200, 200, 200, 200, 200])
    expect(await count(['guild', 'user'])).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('take files', async () => {
    const interaction = await createInteraction()
    await callback(interaction, { type: 12 })
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ attachments: [{ id: '0', description: 'A chart' }] }))
    form.set('files[0]', new Blob(['chart']), 'chart.txt')
    const reply = await fetch(`${harness.sandbox.origin}/api/v10${hook(interaction)}`, { method: 'POST', body: form })
    expect(await reply.json()).toMatchObject({ attachments: [{ filename: 'chart.txt', description: 'A chart', size: 5 }] })
  })

  it('take files as large as attachment_size_limit of their interaction says, and none larger', {
    tags: ['2.2-41', '4.1-rules-21'],
  }, async () => {
    const status = async (attachment_size_limit: number, ...sizes: readonly number[]): Promise<number> => {
      const interaction = await createInteraction({ attachment_size_limit })
      expect(interaction.attachment_size_limit).toBe(attachment_size_limit)
      await callback(interaction, { type: 12 })
      const form = new FormData()
      for (const [index, bytes] of sizes.entries()) form.set(`files[${index}]`, new Blob([Buffer.alloc(bytes)]), 'chart.bin')
      return (await fetch(`${harness.sandbox.origin}/api/v10${hook(interaction)}`, { method: 'POST', body: form })).status
    }
    const most = 12_000_000
    expect([await status(most, most), await status(most, most + 1), await status(4, 5)]).toEqual([200, 413, 413])
    // The limit is that of each file, not of the message.
    expect([await status(4, 4, 4), await status(4, 4, 5)]).toEqual([200, 413])
  })
})

describe('the token of an interaction', () => {
  it('is good for 15 minutes, for its application alone, and for nothing else', async () => {
    const interaction = await createInteraction()
    await callback(interaction, { type: 4, data: { content: 'Ahoy' } })
    const elsewhere = `/webhooks/${OTHER_APPLICATION}/${interaction.token}/messages/@original`
    expect(refusal(await harness.send('GET', elsewhere))).toEqual([404, 10015])
    expect(refusal(await harness.send('GET', `/webhooks/${APPLICATION}/wrong/messages/@original`))).toEqual([401, 50027])
    expect(refusal(await harness.send('GET', '/users/@me', { token: interaction.token }))).toEqual([401, 0])
    harness.clock.advance(15 * 60_000 - 1)
    expect((await harness.send('GET', original(interaction))).status).toBe(200)
    harness.clock.advance(1)
    expect(refusal(await harness.send('GET', original(interaction)))).toEqual([401, 50027])
  })

  it('is in no log and no report', async () => {
    const interaction = await createInteraction()
    await callback(interaction, { type: 4, data: { content: 'Ahoy' } })
    await harness.send('GET', original(interaction))
    const pages = [(await harness.send('GET', '~sandbox/state')).text, (await harness.send('GET', '~')).text, harness.log.join('\n')]
    for (const page of pages) expect(page.includes(interaction.token)).toBe(false)
    expect(pages[0]).toContain('/@original')
  })
})
