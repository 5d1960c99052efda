/** A message that was sent is decoded and encoded again when a call is repeated, in any encoding that the next server takes. */
import { describe, expect, test } from 'vitest'
import { loadCodec } from '#bindings/ts/src/wire/codec.ts'

const TEXT = {
  cmd: 'SEND_LOBBY_MESSAGE',
  args: { content: 'Ahoy ⚓ \u2028', list: [1, -0.5, 1e300, null, [], {}], 7: true },
  key: '0f',
  nonce: '1',
}

describe.each(['json', 'msgpack'] as const)('a message in %s', (name) => {
  test('has the same bytes when it is decoded and encoded', async () => {
    const codec = await loadCodec(name)
    const messages = [TEXT, { ...TEXT, evt: undefined, args: { at: new Date(0), long: 'x'.repeat(70_000), whole: 2 ** 53 - 1 } }]
    for (const message of messages) {
      const bytes = codec.encode(message)
      expect(Buffer.from(codec.encode(codec.decode(bytes)))).toEqual(Buffer.from(bytes))
    }
  })

  test('is the same in the other encoding', async () => {
    const codec = await loadCodec(name)
    const other = await loadCodec(name === 'json' ? 'msgpack' : 'json')
    expect(other.decode(other.encode(codec.decode(codec.encode(TEXT))))).toEqual(TEXT)
  })

  test('stays as it is while others are encoded', async () => {
    const codec = await loadCodec(name)
    const bytes = codec.encode(TEXT)
    for (let count = 0; count < 1_000; count += 1) codec.encode({ count, text: 'y'.repeat(count) })
    expect(codec.decode(bytes)).toEqual(TEXT)
  })
})

test('msgpack keeps what JSON has not', async () => {
  const codec = await loadCodec('msgpack')
  const bytes = codec.encode({ args: { file: Uint8Array.of(1, 2, 0xc1), id: 2n ** 60n } })
  expect(Buffer.from(codec.encode(codec.decode(bytes)))).toEqual(Buffer.from(bytes))
})
