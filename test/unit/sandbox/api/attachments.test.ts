/** Files of messages over HTTP: multipart uploads, edits, and downloads. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENDPOINTS, LIMITS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, refusal } from '../answers.ts'
import { type Answer, type Harness, startHarness } from '../harness.ts'
import { channelNamed, guildNamed, sendFiles, type SentFile } from '../uploads.ts'

let harness: Harness
let messages: string
beforeEach(async () => {
  harness = await startHarness()
  messages = `/channels/${await channelNamed(harness, 'Harbour', 'general')}/messages`
})
afterEach(() => harness.close())

interface Attachment {
  readonly id: string
  readonly url: string
  readonly flags: number
}
const attachmentsOf = ({ json }: Answer) => json['attachments'] as readonly Attachment[]
const chart = (name = 'chart.txt', content: SentFile['content'] = 'Ahoy', type = 'text/plain'): Omit<SentFile, 'part'> => ({
  name,
  content,
  type,
})
const write = (payload: object | undefined, ...files: readonly Omit<SentFile, 'part'>[]) =>
  sendFiles(
    harness,
    'POST',
    messages,
    payload,
    files.map((file, place) => ({ ...file, part: `files[${place}]` })),
  )
const edit = (id: unknown, payload: object, ...files: readonly Omit<SentFile, 'part'>[]) =>
  sendFiles(
    harness,
    'PATCH',
    `${messages}/${String(id)}`,
    payload,
    files.map((file, place) => ({ ...file, part: `files[${place}]` })),
  )

describe('a message with files', () => {
  it('keeps their names, types and descriptions', { tags: ['2.2-30'] }, async () => {
    const said = await write(
      { content: 'Charts', attachments: [{ id: '1', description: 'The reef', is_spoiler: true }] },
      chart(),
      chart('the reef.png', 'not really', 'image/png'),
    )
    expect(said.status).toBe(200)
    expect(ENDPOINTS.CREATE_MESSAGE.response.safeParse(said.json).error).toBeUndefined()
    expect(attachmentsOf(said)).toMatchObject([
      { filename: 'chart.txt', size: 4, content_type: 'text/plain', flags: 0 },
      { filename: 'the_reef.png', size: 10, content_type: 'image/png', description: 'The reef', flags: 1 << 3 },
    ])
    expect(attachmentsOf(said)[0]).not.toHaveProperty('description')
  })

  it('needs nothing else', async () => {
    expect((await write(undefined, chart())).status).toBe(200)
  })

  it('marks a spoiler by the beginning of its name too', { tags: ['2.2-31'] }, async () => {
    expect(attachmentsOf(await write({}, chart('SPOILER_end.txt')))[0]?.flags).toBe(1 << 3)
    expect(attachmentsOf(await write({}, chart('no_SPOILER_.txt')))[0]?.flags).toBe(0)
  })

  it('numbers files by their parts, in any order', async () => {
    const parts = [2, 0, 1].map((place) => ({ ...chart(`${place}.txt`), part: `files[${place}]` }))
    const said = await sendFiles(harness, 'POST', messages, { attachments: [{ id: '2', description: 'Two' }] }, parts)
    expect(attachmentsOf(said)).toMatchObject([{ filename: '0.txt' }, { filename: '1.txt' }, { filename: '2.txt', description: 'Two' }])
  })

  it('serves the bytes at their address, with safe content types', async () => {
    const page = '<script>alert(1)</script>'
    const said = await write({}, chart('a.png', Buffer.from([0, 255, 1]), 'image/png'), chart('page.html', page, 'text/html'))
    const [picture, text] = await Promise.all(attachmentsOf(said).map(({ url }) => fetch(url)))
    expect(Buffer.from((await picture?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(Buffer.from([0, 255, 1]))
    expect(picture?.headers.get('content-type')).toBe('image/png')
    expect(await text?.text()).toBe(page)
    expect(text?.headers.get('content-type')).toBe('application/octet-stream')
    expect(text?.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('is found by type and name of its files', { tags: ['4.1-rules-14'] }, async () => {
    await write({ content: 'the reef' }, chart('reef.png', 'not really', 'image/png'))
    await write({ content: 'the log' }, chart('log.txt'))
    const search = async (query: string) => {
      const path = `/guilds/${(await guildNamed(harness, 'Harbour')).id}/messages/search${query}`
      const { json } = await harness.send('GET', path, { token: BOT })
      return (json['messages'] as { content: string }[][] | undefined)?.map(([hit]) => hit?.content)
    }
    expect(await search('')).toBeUndefined()
    harness.clock.advance(2_000)
    expect(await search('?has=file')).toEqual(['the log', 'the reef'])
    expect(await search('?has=image')).toEqual(['the reef'])
    expect(await search('?has=video')).toEqual([])
    expect(await search('?has=file&has=-image')).toEqual(['the log'])
    expect(await search('?attachment_filename=ee')).toEqual(['the reef'])
    expect(await search('?attachment_extension=txt')).toEqual(['the log'])
    expect(await search('?attachment_extension=log')).toEqual([])
  })

  it('shows them in a forward', async () => {
    const { json } = await write({}, chart())
    const reference = { type: 1, message_id: json['id'], channel_id: json['channel_id'] }
    const forwarded = await harness.send('POST', messages, { token: BOT, json: { message_reference: reference } })
    expect(forwarded.json).toMatchObject({ message_snapshots: [{ message: { attachments: [{ filename: 'chart.txt' }] } }] })
  })

  it('may have files of 10 MiB each, and none larger', { tags: ['4.1-rules-21', '8-8'] }, async () => {
    const most = Buffer.alloc(LIMITS.attachmentBytes.value)
    expect((await write({}, chart('a', most), chart('b', most))).status).toBe(200)
    expect(refusal(await write({}, chart('over', Buffer.alloc(most.length + 1))))).toEqual([413, 40_005])
    // Limits are those of each attachment, not of the message.
    expect((await write({}, chart('a', most), chart('b', most), chart('c', most))).status).toBe(200)
  })

  it('needs the permission to attach files', async () => {
    const path = `/channels/${await channelNamed(harness, 'Lighthouse', 'logbook')}/messages`
    expect((await sendFiles(harness, 'POST', path, {}, [{ ...chart(), part: 'files[0]' }])).status).toBe(200)
    const repairs = `/channels/${await channelNamed(harness, 'Dry Dock', 'repairs')}/messages`
    expect(refusal(await sendFiles(harness, 'POST', repairs, {}, [{ ...chart(), part: 'files[0]' }]))).toEqual([403, 50_001])
  })

  it('takes no files from JSON, and no parts that cannot be read', async () => {
    const json = { content: 'x', files: [{ filename: 'a', data: 'AAAA' }] }
    expect((await harness.send('POST', messages, { token: BOT, json })).json).toMatchObject({ attachments: [] })
    const broken = { raw: 'no parts', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
    expect(refusal(await harness.send('POST', messages, { token: BOT, ...broken }))).toEqual([400, 50_035])
    const badJson = '--x\r\ncontent-disposition: form-data; name="payload_json"\r\n\r\n{\r\n--x--\r\n'
    expect(refusal(await harness.send('POST', messages, { token: BOT, ...broken, raw: badJson }))).toEqual([400, 50_109])
  })

  it('takes parts only where files belong', async () => {
    const path = `/channels/${await channelNamed(harness, 'Harbour', 'Engine Room')}/voice-status`
    expect(refusal(await sendFiles(harness, 'PUT', path, { status: 'x' }, []))).toEqual([400, 50_035])
  })
})

describe('an edit of a message with files', () => {
  it('keeps the listed files with their new fields, and adds new ones', { tags: ['2.2-29'] }, async () => {
    const before = await write({ attachments: [{ id: '0', description: 'Old' }] }, chart('a.txt'), chart('b.txt'))
    const [a, b] = attachmentsOf(before)
    const changes = {
      attachments: [
        { id: a?.id, description: 'New', is_spoiler: true },
        { id: '0', description: 'Added' },
      ],
    }
    const after = await edit(before.json['id'], changes, chart('c.txt'))
    expect(after.status).toBe(200)
    expect(attachmentsOf(after)).toMatchObject([
      { id: a?.id, filename: 'a.txt', description: 'New', flags: 1 << 3 },
      { filename: 'c.txt', description: 'Added' },
    ])
    const kept = { attachments: [{ id: a?.id, is_spoiler: null }] }
    expect(attachmentsOf(await edit(before.json['id'], kept))).toMatchObject([{ id: a?.id, description: 'New', flags: 1 << 3 }])
    expect((await fetch(b?.url ?? '')).status).toBe(404)
    expect((await fetch(a?.url ?? '')).status).toBe(200)
  })

  it('keeps the files without a list, and deletes them with an empty list', async () => {
    const { json } = await write({ content: 'x' }, chart())
    expect(attachmentsOf(await edit(json['id'], { content: 'y' }))).toHaveLength(1)
    expect(attachmentsOf(await edit(json['id'], {}, chart('b.txt')))).toHaveLength(2)
    expect(attachmentsOf(await edit(json['id'], { attachments: [] }))).toEqual([])
  })

  it('refuses unknown files, an empty message, and more than ten files', async () => {
    const { json } = await write({}, chart())
    expect(refusal(await edit(json['id'], { attachments: [{ id: '99' }] }))).toEqual([400, 50_035])
    expect(refusal(await edit(json['id'], { attachments: [] }))).toEqual([400, 50_006])
    const ten = Array.from({ length: 10 }, (_, place) => chart(`${place}.txt`))
    expect(refusal(await edit(json['id'], {}, ...ten))).toEqual([400, 50_035])
  })
})

describe('stored files', () => {
  it('are there after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sp-sb-'))
    const dataFile = join(folder, 'sandbox.sqlite')
    await harness.close()
    try {
      harness = await startHarness({ dataFile })
      messages = `/channels/${await channelNamed(harness, 'Harbour', 'general')}/messages`
      const { json } = await write({}, chart())
      await harness.close()
      harness = await startHarness({ dataFile })
      const again = await harness.send('GET', `${messages}/${String(json['id'])}`, { token: BOT })
      expect(await (await fetch(attachmentsOf(again)[0]?.url ?? '')).text()).toBe('Ahoy')
    } finally {
      await harness.close()
      harness = await startHarness()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('give way to newer ones, the oldest first, so that the sandbox does not grow', async () => {
    const large = Buffer.alloc(LIMITS.attachmentBytes.value)
    const written: Attachment[] = []
    for (let round = 0; round < 4; round += 1) written.push(...attachmentsOf(await write({}, chart(`${round}`, large))))
    const statuses = await Promise.all(written.map(async ({ url }) => (await fetch(url, { method: 'GET' })).status))
    expect(statuses).toEqual([404, 200, 200, 200])
  })

  it('go with their message', async () => {
    const { json } = await write({}, chart())
    const [file] = json['attachments'] as readonly Attachment[]
    expect((await harness.send('DELETE', `${messages}/${String(json['id'])}`, { token: BOT })).status).toBe(204)
    expect((await fetch(file?.url ?? '')).status).toBe(404)
  })
})
