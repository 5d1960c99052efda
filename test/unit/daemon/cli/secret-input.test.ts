import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readSecret, type SecretSource } from '#daemon/src/cli/secret-input.ts'

/** A terminal or a pipe with these chunks. */
function source(chunks: readonly string[], isTTY: boolean) {
  const modes: boolean[] = []
  const stream = new PassThrough()
  for (const chunk of chunks) stream.write(chunk)
  stream.end()
  return {
    stream: Object.assign(stream, isTTY ? { isTTY, setRawMode: (mode: boolean) => modes.push(mode) } : {}) as unknown as SecretSource,
    modes,
  }
}
async function read(chunks: readonly string[], isTTY = false) {
  const shown: string[] = []
  const { stream, modes } = source(chunks, isTTY)
  const secret = await readSecret('Token: ', stream, (text) => shown.push(text))
  return { secret: secret?.reveal(), shown: shown.join(''), modes }
}

test('reads piped input trimmed and without a prompt', async () => {
  expect(await read(['the-', 'token\n'])).toEqual({ secret: 'the-token', shown: '', modes: [] })
  expect((await read([' \n'])).secret).toBeUndefined()
  expect((await read([])).secret).toBeUndefined()
  expect((await read(['x'.repeat(1_000_000)])).secret).toHaveLength(4096)
})

test('reads a typed line without echo, with backspace, and restores the terminal', async () => {
  const { secret, shown, modes } = await read(['the', '-tokem', '\u007f', 'n\r', 'not this'], true)
  expect(secret).toBe('the-token')
  expect(shown).toBe('Token: \n')
  expect(modes).toEqual([true, false])
})

test.each([['\u0003'], ['\r'], ['\u0004']])('%j cancels', async (key) => {
  const { secret, modes } = await read([key], true)
  expect(secret).toBeUndefined()
  expect(modes).toEqual([true, false])
})
