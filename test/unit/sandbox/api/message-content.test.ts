/** Without the message content intent, a bot reads only its own messages and its mentions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, refusal } from '../answers.ts'
import { APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

const OTHER_BOT = `Bot sandbox-bot-${OTHER_APPLICATION}`

let harness: Harness
let guild: string
let general: string
let logbook: string
beforeEach(async () => {
  harness = await startHarness()
  const { json } = await harness.send('GET', '~sandbox/state')
  const guilds = json['guilds'] as readonly { id: string; name: string; channels: readonly { id: string; name: string }[] }[]
  const channels = guilds.flatMap((one) => one.channels)
  const idOf = (among: readonly { id: string; name: string }[], named: string) => among.find(({ name }) => name === named)?.id ?? ''
  guild = idOf(guilds, 'Harbour')
  general = idOf(channels, 'general')
  logbook = idOf(channels, 'logbook')
  await harness.send('PATCH', '/applications/@me', { token: BOT, json: { flags: 0 } })
})
afterEach(() => harness.close())

const read = (path: string, token = BOT) => harness.send('GET', path, { token })
const write = (json: object, token = BOT, channel = general) => harness.send('POST', `/channels/${channel}/messages`, { token, json })
const byUser = async (content: string) =>
  String((await harness.send('POST', '~sandbox/messages', { json: { channel: 'general', user: 'ada', content } })).json['id'])
const messageOf = async (id: string, token = BOT) => (await read(`/channels/${general}/messages/${id}`, token)).json
const listOf = async (path: string) => JSON.parse((await read(path)).text) as readonly { id: string; content: string }[]

const EMPTY = { content: '', embeds: [], attachments: [], components: [] }
const RICH = {
  content: 'Ahoy',
  embeds: [{ title: 'Cargo' }],
  components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }],
  poll: { question: { text: 'Sail?' }, answers: [{ poll_media: { text: 'Aye' } }] },
}

describe('a message of others', () => {
  it('has no content, embeds, attachments, components or poll, one by one, in lists and in pins', async () => {
    const id = String((await write(RICH, OTHER_BOT)).json['id'])
    await harness.send('PUT', `/channels/${general}/messages/pins/${id}`, { token: BOT })
    const one = await messageOf(id)
    expect(one).toMatchObject({ ...EMPTY, id, author: { id: OTHER_APPLICATION } })
    expect(one).not.toHaveProperty('poll')
    expect((await listOf(`/channels/${general}/messages`)).map(({ content }) => content)).toEqual(['', '', '', ''])
    expect((await read(`/channels/${general}/messages/pins`)).json['items']).toMatchObject([{ message: { ...EMPTY, id } }])
    expect(await listOf(`/channels/${general}/pins`)).toMatchObject([{ ...EMPTY, id }])
  })

  it('is whole for an application with the intent', async () => {
    const id = String((await write(RICH, OTHER_BOT)).json['id'])
    expect(await messageOf(id, OTHER_BOT)).toMatchObject({ content: 'Ahoy', embeds: [{ title: 'Cargo' }] })
    await harness.send('PATCH', '/applications/@me', { token: BOT, json: { flags: 1 << 19 } })
    expect(await messageOf(id)).toMatchObject({ content: 'Ahoy', embeds: [{ title: 'Cargo' }], poll: RICH.poll })
  })

  it('that is a forward has an empty snapshot', async () => {
    const id = await byUser('The keys are here')
    const forward = await write({ message_reference: { type: 1, message_id: id, channel_id: general } }, OTHER_BOT)
    expect(forward.json).toMatchObject({ message_snapshots: [{ message: { content: 'The keys are here' } }] })
    expect(await messageOf(String(forward.json['id']))).toMatchObject({ ...EMPTY, message_snapshots: [{ message: EMPTY }] })
  })

  it('cannot be forwarded: 160014; with the intent it can', { tags: ['4.1-rules-17', '7-2'] }, async () => {
    const id = await byUser('The keys are here')
    const forward = () => write({ message_reference: { type: 1, message_id: id, channel_id: general } }, BOT, logbook)
    const refused = await forward()
    expect(refusal(refused)).toEqual([400, 160_014])
    expect(refused.json['message']).toContain('cannot be read')
    await harness.send('PATCH', '/applications/@me', { token: BOT, json: { flags: 1 << 19 } })
    expect((await forward()).json).toMatchObject({ message_snapshots: [{ message: { content: 'The keys are here' } }] })
  })

  it('cannot be searched', async () => {
    expect(refusal(await read(`/guilds/${guild}/messages/search`))).toEqual([403, 50_001])
  })
})

describe('read without the intent', () => {
  it('are its own messages', { tags: ['4.1-rules-17', '7-2'] }, async () => {
    const created = await write(RICH)
    expect(created.json).toMatchObject({ content: 'Ahoy' })
    const id = String(created.json['id'])
    expect(await messageOf(id)).toMatchObject({ content: 'Ahoy', embeds: [{ title: 'Cargo' }], poll: RICH.poll })
    expect((await write({ message_reference: { type: 1, message_id: id, channel_id: general } })).status).toBe(200)
  })

  it('are messages that mention it', { tags: ['4.1-rules-17', '7-2'] }, async () => {
    const id = await byUser(`Ahoy <@${APPLICATION}>`)
    expect(await messageOf(id)).toMatchObject({ content: `Ahoy <@${APPLICATION}>` })
    expect((await write({ message_reference: { type: 1, message_id: id, channel_id: general } })).status).toBe(200)
  })

  it('are direct messages, which belong to their users', async () => {
    const { access_token: token } = await harness.signIn('sdk.social_layer')
    const grace = await harness.idOf('grace')
    expect((await harness.send('POST', `/users/${grace}/messages`, { token, json: { content: 'Between us' } })).json).toMatchObject({
      content: 'Between us',
    })
    expect((await listOf(`/channels/${general}/messages`))[0]).toMatchObject({ content: '' })
    const messages = await harness.send('GET', `/users/${grace}/messages`, { token })
    expect(JSON.parse(messages.text)).toMatchObject([{ content: 'Between us' }])
  })
})
