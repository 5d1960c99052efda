/** Channel messages over HTTP: read in pages, one by one, and deleted; and the old routes of pins. */
import { ENDPOINTS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, refusal } from '../answers.ts'
import { type Answer, type Harness, ManualClock, OTHER_APPLICATION, startHarness } from '../harness.ts'
import { channelNamed } from '../uploads.ts'

const OTHER_BOT = `Bot sandbox-bot-${OTHER_APPLICATION}`

let harness: Harness
let channel: string
beforeEach(async () => {
  harness = await startHarness()
  channel = `/channels/${await channelNamed(harness, 'Harbour', 'screenshots')}`
})
afterEach(() => harness.close())

const get = (path: string, token = BOT) => harness.send('GET', `${channel}${path}`, { token })
const write = async (content: string, token = BOT): Promise<string> =>
  String((await harness.send('POST', `${channel}/messages`, { token, json: { content } })).json['id'])
const contents = ({ text }: Answer): string =>
  (JSON.parse(text) as readonly { readonly content: string }[]).map(({ content }) => content).join('')

describe('messages of a channel', () => {
  it('come in pages, the latest first', async () => {
    const ids: string[] = []
    for (const letter of 'abcdef') ids.push(await write(letter))
    const page = await get('/messages')
    expect(ENDPOINTS.GET_CHANNEL_MESSAGES.response.safeParse(JSON.parse(page.text)).error).toBeUndefined()
    expect(contents(page)).toBe('fedcba')
    expect(contents(await get('/messages?limit=2'))).toBe('fe')
    expect(contents(await get(`/messages?before=${ids[3]}&limit=2`))).toBe('cb')
    expect(contents(await get(`/messages?after=${ids[1]}&limit=2`))).toBe('dc')
    expect(contents(await get(`/messages?around=${ids[2]}&limit=3`))).toBe('dcb')
    expect(contents(await get(`/messages?around=${ids[2]}&limit=1`))).toBe('c')
  })

  it('are refused with two anchors, and beyond a page', async () => {
    expect(refusal(await get('/messages?before=1&after=2'))).toEqual([400, 50_035])
    expect(refusal(await get('/messages?limit=101'))).toEqual([400, 50_035])
  })

  it('can be asked for one by one', async () => {
    const id = await write('Ahoy')
    expect((await get(`/messages/${id}`)).json).toMatchObject({ id, content: 'Ahoy' })
    expect(refusal(await get('/messages/1'))).toEqual([404, 10_008])
  })

  it('are deleted by who wrote them', async () => {
    const id = await write('Ahoy')
    const remove = (token: string) => harness.send('DELETE', `${channel}/messages/${id}`, { token })
    expect(refusal(await remove(OTHER_BOT))).toEqual([403, 50_013])
    expect((await remove(BOT)).status).toBe(204)
    expect(refusal(await remove(BOT))).toEqual([404, 10_008])
  })
})

describe('the routes of before for pins', () => {
  it('do the same', { tags: ['4.2-4'] }, async () => {
    const id = await write('Ahoy')
    const change = (method: string) => harness.send(method, `${channel}/pins/${id}`, { token: BOT })
    expect((await change('PUT')).status).toBe(204)
    const listed = await get('/pins')
    expect(ENDPOINTS.GET_PINNED_MESSAGES.response.safeParse(JSON.parse(listed.text)).error).toBeUndefined()
    expect(contents(listed)).toBe('Ahoy')
    expect((await get('/messages/pins')).json).toMatchObject({ items: [{ message: { id } }], has_more: false })
    harness.clock.advance(1000)
    await harness.send('PUT', `${channel}/pins/${await write('Belay')}`, { token: BOT })
    expect((JSON.parse((await get('/pins')).text) as { content: string }[]).map(({ content }) => content)).toEqual(['Belay', 'Ahoy'])
    expect((await change('DELETE')).status).toBe(204)
    expect(contents(await get('/pins'))).toBe('Belay')
  })

  it('need PIN_MESSAGES since its day, and MANAGE_MESSAGES before', async () => {
    const id = await write('Ahoy')
    expect((await harness.send('PUT', `${channel}/pins/${id}`, { token: BOT })).status).toBe(204)
    await harness.close()
    harness = await startHarness({ clock: new ManualClock(Date.UTC(2026, 1, 22)) })
    const earlier = await write('Ahoy')
    expect(refusal(await harness.send('PUT', `${channel}/pins/${earlier}`, { token: BOT }))).toEqual([403, 50_013])
  })
})
