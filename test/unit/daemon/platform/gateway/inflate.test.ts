/** Decompression: one stream per connection, in any chunks, with bounded output. */
import { BUDGETS } from '@sallyport/core/budgets'
import { constants, createDeflate, createZstdCompress, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createInflater } from '#daemon/src/platform/gateway/inflate.ts'

const KINDS = {
  'zlib-stream': () => ({ packer: createDeflate(), flush: constants.Z_SYNC_FLUSH }),
  'zstd-stream': () => ({ packer: createZstdCompress(), flush: constants.ZSTD_e_flush }),
}
type Kind = keyof typeof KINDS
const NAMES = Object.keys(KINDS) as Kind[]

/** Compresses each text with one flush, in one stream. */
async function packed(kind: Kind, texts: readonly string[]): Promise<Buffer[]> {
  const { packer, flush } = KINDS[kind]()
  let parts: Buffer[] = []
  packer.on('data', (part: Buffer) => void parts.push(part))
  const messages: Buffer[] = []
  for (const text of texts) {
    await new Promise<void>((resolve) => packer.write(text, () => packer.flush(flush, resolve)))
    messages.push(Buffer.concat(parts))
    parts = []
  }
  packer.destroy()
  return messages
}

const TEXTS = ['{"op":10}', JSON.stringify({ d: 'ä€😀'.repeat(100) }), '{"op":10}', 'x'.repeat(200_000), '{"op":11}']

describe.each(NAMES)('%s', (kind) => {
  test('returns each message, using the shared compression context', async () => {
    const inflater = createInflater(kind)
    const messages = await packed(kind, TEXTS)
    for (const [index, message] of messages.entries()) expect(String(await inflater.push(message))).toBe(TEXTS[index])
    // The same text again is a reference to the first.
    expect(messages[2]?.length).toBeLessThan(messages[0]?.length ?? 0)
    inflater.close()
  })

  test('rejects an invalid stream, and everything after it', async () => {
    const inflater = createInflater(kind)
    const garbage = Buffer.from('this is no compressed text at all\0\0\xff\xff', 'latin1')
    await expect(inflater.push(garbage)).rejects.toThrow()
    await expect(inflater.push(garbage)).rejects.toThrow()
    inflater.close()
  })

  test('rejects a small message that expands without limit', async () => {
    const inflater = createInflater(kind)
    const bound = BUDGETS.gatewayMessageBytes.value
    const [fits, bomb] = await packed(kind, ['a'.repeat(bound), 'a'.repeat(bound + 1)])
    if (fits === undefined || bomb === undefined) throw new Error('nothing was packed')
    expect(bomb.length).toBeLessThan(100_000)
    expect((await inflater.push(fits))?.length).toBe(bound)
    await expect(inflater.push(bomb)).rejects.toThrow(RangeError)
  })

  test('rejects when it is closed during a push', async () => {
    const inflater = createInflater(kind)
    const [message] = await packed(kind, ['x'.repeat(1_000_000)])
    const pushing = inflater.push(message ?? Buffer.alloc(0))
    inflater.close()
    await expect(pushing).rejects.toThrow()
  })
})

describe('zlib-stream', () => {
  test('a message may arrive in any chunks, even with a split suffix', async () => {
    const texts = TEXTS.slice(0, 3)
    const messages = await packed('zlib-stream', texts)
    const cut = fc.array(fc.nat({ max: 300 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(cut, async (cuts) => {
        const inflater = createInflater('zlib-stream')
        for (const [index, message] of messages.entries()) {
          const edges = [0, ...cuts.filter((at) => at < message.length), message.length].toSorted((a, b) => a - b)
          const given: string[] = []
          for (const [at, edge] of edges.slice(1).entries()) {
            const text = await inflater.push(message.subarray(edges[at], edge))
            if (text !== undefined) given.push(String(text))
          }
          expect(given).toEqual([texts[index]])
        }
        inflater.close()
      }),
      { numRuns: 60, seed: 11 },
    )
  })

  test('one byte at a time', async () => {
    const inflater = createInflater('zlib-stream')
    const given: string[] = []
    for (const message of await packed('zlib-stream', TEXTS.slice(0, 3)))
      for (const byte of message) {
        const text = await inflater.push(Buffer.from([byte]))
        if (text !== undefined) given.push(String(text))
      }
    expect(given).toEqual(TEXTS.slice(0, 3))
    inflater.close()
  })

  test('after the end of the stream, no message follows', async () => {
    const inflater = createInflater('zlib-stream')
    const suffix = Buffer.from([0, 0, 0xff, 0xff])
    expect((await inflater.push(Buffer.concat([deflateSync('{"op":10}'), suffix])))?.toString()).toBe('{"op":10}')
    expect((await inflater.push(Buffer.concat([deflateSync('{"op":11}'), suffix])))?.toString()).toBe('')
    inflater.close()
  })

  test('a message without an end is bounded as well', async () => {
    const inflater = createInflater('zlib-stream')
    const [bomb] = await packed('zlib-stream', ['a'.repeat(BUDGETS.gatewayMessageBytes.value + 1)])
    await expect(inflater.push((bomb ?? Buffer.alloc(0)).subarray(0, -4))).rejects.toThrow(RangeError)
  })
})

test('zstd-stream: an oversized window is rejected before allocation', async () => {
  const packer = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } })
  const parts: Buffer[] = []
  packer.on('data', (part: Buffer) => void parts.push(part))
  await new Promise<void>((resolve) => packer.write('x', () => packer.flush(constants.ZSTD_e_flush, resolve)))
  packer.destroy()
  await expect(createInflater('zstd-stream').push(Buffer.concat(parts))).rejects.toThrow()
})
