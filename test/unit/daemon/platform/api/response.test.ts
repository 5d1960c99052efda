import { ENDPOINTS, parserOf } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { jsonTextOf } from '@sallyport/core/json-text'
import { readResult } from '#daemon/src/platform/api/response.ts'

const row = ENDPOINTS.GET_TARGET_USERS
const read = (body: string) =>
  readResult(
    row,
    parserOf(() => row.response),
    { status: 200, headers: {}, body },
  )

describe('a reply in CSV', () => {
  it.each([
    ['lines that end as RFC 4180 has it', 'user_id\r\n1\r\n2\r\n'],
    ['lines that end as Unix has it', 'user_id\n1\n2'],
    ['a byte order mark', '\uFEFFuser_id\n1\n2\n'],
    ['quotes and empty lines', '"user_id"\n"1"\n\n"2"\n\n'],
  ])('becomes a list with %s', { tags: ['4.1-rules-5'] }, (_, body) => {
    expect(read(body)).toEqual({ user_ids: ['1', '2'] })
  })

  it('may be empty', () => {
    expect(read('user_id\n')).toEqual({ user_ids: [] })
  })

  it.each(['', '1\n2\n', 'id\n1\n', '{"user_ids":["1"]}'])('is malformed for %j', { tags: ['4.1-rules-5'] }, (body) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('CSV') as string }) as Error,
    )
  })

  it('is malformed with values that are not ids', () => {
    expect(() => read('user_id\nann\n')).toThrow(/field user_ids\.0/)
  })
})

describe('a reply in JSON', () => {
  const guilds = ENDPOINTS.GET_CURRENT_USER_GUILDS

  it('keeps its JSON text', () => {
    const body =
      '[ {"id":"1","name":"Harbour","icon":null,"banner":null,"owner":true,"permissions":"8","features":[],"new_field":{"a":1}} ]'
    const answer = readResult(
      guilds,
      parserOf(() => guilds.response),
      { status: 200, headers: {}, body },
    )
    expect(answer).toEqual(JSON.parse(body))
    expect(jsonTextOf(answer)).toBe(body)
  })

  it('is validated as well', () => {
    expect(() =>
      readResult(
        guilds,
        parserOf(() => guilds.response),
        { status: 200, headers: {}, body: '[{"id":1}]' },
      ),
    ).toThrow(/field 0\./)
  })
})
