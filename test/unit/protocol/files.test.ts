import { ENDPOINTS, type EndpointRow, FileInput, LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const problems = (
  schema: { safeParse(value: unknown): { error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } } },
  value: unknown,
) => (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
const rows = Object.values<EndpointRow>(ENDPOINTS)
const DATA = 'QWhveQ=='

describe('a file', () => {
  it.each([
    { filename: 'a.txt', data: DATA },
    { filename: 'größe 图 "x".txt', data: '' },
    { filename: '...', data: DATA },
    { path: '/home/ada/a.txt' },
    { path: '/home/ada/a.txt', filename: 'b.txt', content_type: 'image/svg+xml' },
    { filename: 'f'.repeat(1024), data: DATA },
  ])('is %j', (file) => expect(problems(FileInput(), file)).toEqual([]))

  it.each([
    ['no content', { filename: 'a' }, 'path'],
    ['two contents', { filename: 'a', data: DATA, path: '/a' }, 'path'],
    ['no name', { data: DATA }, 'filename'],
    ['an empty name', { filename: '', data: DATA }, 'filename'],
    ['a folder in its name', { filename: 'a/b', data: DATA }, 'filename'],
    ['a Windows folder in its name', { filename: 'a\\b', data: DATA }, 'filename'],
    ['the name of a folder', { filename: '..', data: DATA }, 'filename'],
    ['a line break in its name', { filename: 'a\r\nb', data: DATA }, 'filename'],
    ['too long a name', { filename: 'f'.repeat(1025), data: DATA }, 'filename'],
    ['invalid base64', { filename: 'a', data: 'A' }, 'data'],
    ['base64url', { filename: 'a', data: '_-==' }, 'data'],
    ['a header in its media type', { filename: 'a', data: DATA, content_type: 'a/b\r\nx: y' }, 'content_type'],
    ['an unknown field', { filename: 'a', data: DATA, url: 'x' }, ''],
  ])('is rejected with %s', (_, file, at) => {
    const found = problems(FileInput(), file)
    expect(found[0]?.split(':')[0]).toBe(at)
  })

  it('with the size of a frame is checked fast', () => {
    const data = 'A'.repeat(LIMITS.contractFrameBytes.value)
    expect(problems(FileInput(), { filename: 'a', data })).toEqual([])
    expect(problems(FileInput(), { filename: 'a', data: `${data}*` })).toEqual(['data: must be base64'])
  })
})

describe('rows that take files', () => {
  const uploads = rows.flatMap((row) => (row.upload === undefined ? [] : [{ row, upload: row.upload }]))

  it('are rows of messages and of target users of invites', () => {
    expect(uploads.map(({ row }) => row.name)).toEqual(
      expect.arrayContaining(['CREATE_CHANNEL_INVITE_BY_BOT', 'CREATE_MESSAGE', 'EDIT_MESSAGE', 'UPDATE_TARGET_USERS']) as string[],
    )
  })

  it.each(uploads.map(({ row, upload }) => [row.name, row, upload] as const))(
    '%s has the file argument and a JSON body',
    (_, row, upload) => {
      const { shape } = row.args as unknown as { readonly shape: object }
      expect(Object.keys(shape)).toContain(upload.argument)
      expect([...row.pathParameters, ...row.queryParameters]).not.toContain(upload.argument)
      expect(row.method).not.toBe('GET')
      expect(row.encoding).toBe('json')
      expect(row.bodyArgument).toBeUndefined()
      if (upload.limitArgument !== undefined) expect(Object.keys(shape)).toContain(upload.limitArgument)
    },
  )

  it('limit each file separately, in messages, interaction responses and follow-ups', { tags: ['4.1-rules-21', '8-9'] }, () => {
    const limits = uploads.map(({ row, upload }) => [row.name, upload.fileLimit])
    expect(limits).toEqual(uploads.map(({ row }) => [row.name, row.name === 'CREATE_GUILD_STICKER' ? 'stickerBytes' : 'attachmentBytes']))
    const named = uploads.filter(({ upload }) => upload.limitArgument === 'attachment_size_limit').map(({ row }) => row.name)
    expect(named.toSorted()).toEqual([
      'CREATE_FOLLOWUP_MESSAGE',
      'CREATE_INTERACTION_RESPONSE',
      'EDIT_FOLLOWUP_MESSAGE',
      'EDIT_ORIGINAL_INTERACTION_RESPONSE',
    ])
  })

  it('have the limits of the platform', { tags: ['4.1-rules-21', '8-8'] }, () => {
    expect([LIMITS.attachmentBytes.value, LIMITS.attachmentBytesMost.value]).toEqual([10 * 1024 * 1024, 500 * 1024 * 1024])
  })
})

describe('deprecated rows', () => {
  it.each(rows.filter(({ deprecated }) => deprecated !== undefined).map((row) => [row.name, row] as const))(
    '%s names its replacement',
    (_, { deprecated }) => {
      expect(ENDPOINTS).toHaveProperty(deprecated ?? '')
      expect(ENDPOINTS[deprecated as keyof typeof ENDPOINTS]).not.toHaveProperty('deprecated')
    },
  )
})

it('are the earlier routes of pins', { tags: ['4.2-4'] }, () => {
  expect(rows.flatMap(({ name, deprecated }) => (deprecated === undefined ? [] : [`${name} ${deprecated}`]))).toEqual([
    'GET_PINNED_MESSAGES GET_CHANNEL_PINS',
    'PIN_MESSAGE_DEPRECATED PIN_MESSAGE',
    'UNPIN_MESSAGE_DEPRECATED UNPIN_MESSAGE',
  ])
})

describe('attachments of a message', () => {
  const { args } = ENDPOINTS.CREATE_MESSAGE
  const message = (more: object) => problems(args, { channel_id: '1', content: 'x', ...more })
  const file = { filename: 'a', data: DATA }

  it('refer to files by index', () => {
    expect(message({ files: [file, file], attachments: [{ id: '1', is_spoiler: true, description: 'd'.repeat(1024) }] })).toEqual([])
    expect(message({ files: [file], attachments: [{ id: '1' }] })).toEqual([
      'attachments.0.id: must be an index into files, which has 1 items',
    ])
    expect(message({ attachments: [{ id: '0' }] })).toHaveLength(1)
  })

  it('refer to each file once', () => {
    expect(message({ files: [file], attachments: [{ id: '0' }, { id: '0' }] })).toEqual(['attachments.1.id: contains 0 twice'])
  })

  it('have limited texts', () => {
    expect(message({ files: [file], attachments: [{ id: '0', description: 'd'.repeat(1025) }] })).toHaveLength(1)
    expect(message({ files: [file], attachments: [{ id: '0', is_spoiler: 1 }] })).toHaveLength(1)
  })

  it('are sufficient for a message', () => {
    expect(problems(args, { channel_id: '1', files: [file] })).toEqual([])
    expect(problems(args, { channel_id: '1', files: [] })).toHaveLength(1)
  })

  it('of an edit can be existing attachments', () => {
    const edit = ENDPOINTS.EDIT_MESSAGE.args
    const changes = { channel_id: '1', message_id: '2' }
    expect(problems(edit, { ...changes, attachments: [{ id: '41771983423143937', description: null }] })).toEqual([])
    expect(problems(edit, { ...changes, attachments: [{ id: '4' }, { id: '4' }] })).toHaveLength(1)
  })
})

describe('URLs in a message', () => {
  const { args } = ENDPOINTS.CREATE_MESSAGE
  const V2 = 1 << 15
  const embed = (more: object) => problems(args, { channel_id: '1', embeds: [{ title: 'x', ...more }] })
  const parts = (...components: readonly object[]) => problems(args, { channel_id: '1', flags: V2, components })
  const button = (url: string) =>
    problems(args, { channel_id: '1', content: 'x', components: [{ type: 1, components: [{ type: 2, style: 5, url }] }] })
  const WRONG = ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'game.test', 'http://', 'attachment://a/b']

  it('are http or https URLs in links', () => {
    for (const url of ['https://game.test/a?b#c', 'HTTP://game.test']) {
      expect(embed({ url })).toEqual([])
      expect(embed({ author: { name: 'a', url } })).toEqual([])
      expect(button(url)).toEqual([])
    }
    for (const url of [...WRONG, 'attachment://a.png']) {
      expect(embed({ url })).toHaveLength(1)
      expect(embed({ author: { name: 'a', url } })).toHaveLength(1)
      expect(button(url)).toHaveLength(1)
    }
  })

  it('can be files of the message in media', () => {
    const shown = (url: string) => [
      embed({ image: { url } }),
      embed({ thumbnail: { url } }),
      embed({ footer: { icon_url: url } }),
      embed({ author: { icon_url: url } }),
      parts({ type: 12, items: [{ media: { url } }] }),
    ]
    for (const url of ['https://game.test/a.png', 'attachment://a.png']) expect(shown(url)).toEqual([[], [], [], [], []])
    for (const url of WRONG) for (const found of shown(url)) expect(found).toHaveLength(1)
  })

  it('are files of the message in file components', () => {
    expect(parts({ type: 13, file: { url: 'attachment://a.zip' } })).toEqual([])
    expect(parts({ type: 13, file: { url: 'https://game.test/a.zip' } })).toHaveLength(1)
  })
})

describe('an id', () => {
  it.each(['0', '1', '18446744073709551615'])('is %s', (id) =>
    expect(problems(ENDPOINTS.GET_CHANNEL_PINS.args, { channel_id: id })).toEqual([]),
  )
  it.each(['', '00', '041771983423143937', '-1', '1.0', 'a', '1'.repeat(21)])('is not %j', (id) =>
    expect(problems(ENDPOINTS.GET_CHANNEL_PINS.args, { channel_id: id })).toHaveLength(1),
  )
})
