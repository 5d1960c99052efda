import { ENDPOINTS, LIMITS } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '#test/support/bytes.ts'
import { multipart } from '#daemon/src/platform/api/multipart.ts'
import { requestBuilder } from '#daemon/src/platform/api/request.ts'
import type { MultipartBody, OutgoingFile } from '#daemon/src/platform/api/forwarder-port.ts'

const file = (text: string, more: Partial<OutgoingFile> = {}): OutgoingFile => ({
  filename: 'chart.txt',
  contentType: 'text/plain',
  bytes: Buffer.byteLength(text),
  async *chunks() {
    yield Buffer.from(text)
  },
  ...more,
})
/** A file with a size and arbitrary content. */
const sized = (bytes: number): OutgoingFile => file('', { bytes })

const whole = (body: MultipartBody): Promise<Buffer<ArrayBuffer>> => bytesOf(body.chunks())

/** Parsed by another implementation. */
async function read(contentType: string, body: MultipartBody): Promise<[string, string | [name: string, type: string, text: string]][]> {
  const form = await new Response(await whole(body), { headers: { 'content-type': contentType } }).formData()
  return Promise.all(
    [...form].map(async ([part, value]): Promise<[string, string | [string, string, string]]> => {
      const given = value
      return [part, typeof given === 'string' ? given : [given.name, given.type, await given.text()]]
    }),
  )
}

describe('multipart', () => {
  it('contains the JSON and the files, parsed by another implementation, and has its length in advance', async () => {
    const files = [
      { part: 'files[0]', file: file('Ahoy\r\n--not-the-boundary\r\n') },
      { part: 'files[1]', file: file('', { filename: 'empty.bin', contentType: 'application/octet-stream' }) },
    ]
    const { contentType, body } = multipart('{"content":"ü"}', files)
    expect(await read(contentType, body)).toEqual([
      ['payload_json', '{"content":"ü"}'],
      ['files[0]', ['chart.txt', 'text/plain', 'Ahoy\r\n--not-the-boundary\r\n']],
      ['files[1]', ['empty.bin', 'application/octet-stream', '']],
    ])
    expect((await whole(body)).length).toBe(body.bytes)
  })

  it('has no JSON part without JSON', async () => {
    const { contentType, body } = multipart(undefined, [{ part: 'target_users_file', file: file('user_id') }])
    expect(await read(contentType, body)).toEqual([['target_users_file', ['chart.txt', 'text/plain', 'user_id']]])
    expect((await whole(body)).length).toBe(body.bytes)
  })

  it.each(['a "b" c.txt', 'a\r\nx-evil: 1\r\n\r\n.txt', 'größe 图.txt', 'a;name=b.txt'])(
    'keeps a name such as %j in its place',
    async (filename) => {
      const { contentType, body } = multipart('{}', [{ part: 'files[0]', file: file('x', { filename }) }])
      const text = (await whole(body)).toString()
      expect(text.split('\r\n\r\n')).toHaveLength(3)
      expect(await read(contentType, body)).toEqual([
        ['payload_json', '{}'],
        ['files[0]', [filename, 'text/plain', 'x']],
      ])
    },
  )

  it('is generated for each attempt', async () => {
    let readings = 0
    const counted = file('x', {
      async *chunks() {
        readings += 1
        yield Buffer.from('x')
      },
    })
    const { body } = multipart('{}', [{ part: 'files[0]', file: counted }])
    expect(readings).toBe(0)
    expect(await whole(body)).toEqual(await whole(body))
    expect(readings).toBe(2)
  })

  it('has a unique boundary for each body', () => {
    expect(multipart('{}', []).contentType).not.toBe(multipart('{}', []).contentType)
  })
})

describe('the request of a row with files', () => {
  const build = (args: Record<string, unknown>) => requestBuilder(ENDPOINTS.CREATE_MESSAGE, 'http://p.test', 'tests')(args, undefined)
  const message = { channel_id: '1', content: 'Ahoy' }

  it('is JSON without files', () => {
    for (const files of [undefined, []]) {
      const request = build({ ...message, ...(files === undefined ? {} : { files }) })
      expect(request).toMatchObject({ body: '{"content":"Ahoy"}', headers: { 'content-type': 'application/json' } })
      expect(request).not.toHaveProperty('multipart')
    }
  })

  it('is multipart with files: everything else as JSON, each file under its index', () => {
    const { body, multipart: parts, headers } = build({ ...message, files: [file('a'), file('b')] })
    expect(body).toBeUndefined()
    expect(parts?.payload).toBe('{"content":"Ahoy"}')
    expect(parts?.files.map(({ part }) => part)).toEqual(['files[0]', 'files[1]'])
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
      'content-length': String(parts?.bytes),
    })
  })

  it('names a single file by its argument, and has no JSON if the row has no other arguments', () => {
    const row = requestBuilder(ENDPOINTS.UPDATE_TARGET_USERS, 'http://p.test', 'tests')
    const { multipart: parts } = row({ code: 'aBc', target_users_file: file('user_id') }, undefined)
    expect(parts).toMatchObject({ payload: undefined, files: [{ part: 'target_users_file' }] })
  })

  it('has no limit for all files together', () => {
    const most = LIMITS.attachmentBytes.value
    const files = Array.from({ length: 10 }, () => sized(most))
    expect(build({ ...message, files }).multipart?.bytes).toBeGreaterThan(10 * most)
  })

  it('does not contain the limit of an interaction, and neither does JSON', () => {
    const row = requestBuilder(ENDPOINTS.CREATE_FOLLOWUP_MESSAGE, 'http://p.test', 'tests')
    const args = { application_id: '1', interaction_token: 'opaque', content: 'Ahoy', attachment_size_limit: 20_000_000 }
    expect(row({ ...args, files: [file('a')] }, undefined).multipart?.payload).toBe('{"content":"Ahoy"}')
    expect(row(args, undefined).body).toBe('{"content":"Ahoy"}')
  })
})
