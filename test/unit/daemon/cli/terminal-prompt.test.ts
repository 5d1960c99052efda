import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { MIN_READING_MS, terminalConfirm } from '#daemon/src/cli/terminal-prompt.ts'
import type { TerminalPrompt } from '@sallyport/core/confirm'
import { FakeClock } from '#test/support/fake-clock.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))
const promptOf = (id: string, words = `Prompt ${id}`): TerminalPrompt => ({ id, text: () => words })

function start(canRead = () => true) {
  const input = new PassThrough()
  const output = new PassThrough()
  const clock = new FakeClock()
  let text = ''
  output.on('data', (chunk) => (text += String(chunk)))
  const type = async (words: string) => {
    input.write(words)
    await settled()
  }
  /** Long enough for a person to read what is asked. */
  const read = async () => {
    await settled()
    clock.advance(MIN_READING_MS)
  }
  return { input, clock, type, read, shown: () => text, confirm: terminalConfirm({ input, output, canRead, clock }) }
}

describe('a prompt in the terminal', () => {
  test.each([
    ['k3m9 yes', true],
    [' K3M9  Y ', true],
    ['k3m9 no', false],
    ['k3m9 n', false],
  ])('takes %j', async (typed, expected) => {
    const { type, read, confirm, shown } = start()
    const asked = confirm(promptOf('k3m9', 'The game wants to.'), never)
    await read()
    expect(shown()).toContain('The game wants to.\nAnswer with:  k3m9 yes   or   k3m9 no\n')
    await type(`\n${typed}\n`)
    expect(await asked).toBe(expected)
  })
  test.each(['yes', 'y', 'other yes', 'k3m9', 'k3m9 maybe', 'k3m9 yes please', 'k3m9 constructor', ''])(
    'is not answered by %j: how to answer is said again',
    async (typed) => {
      const { type, read, confirm, shown } = start()
      const asked = confirm(promptOf('k3m9'), never)
      await read()
      const before = shown().length
      await type(`${typed}\n`)
      expect(shown().slice(before)).toBe('Answer with:  k3m9 yes   or   k3m9 no\n')
      await type('k3m9 no\n')
      expect(await asked).toBe(false)
    },
  )
  test('ignores input from before it was readable, even with its id', async () => {
    const { input, clock, type, read, confirm, shown } = start()
    input.write('k3m9 yes\n')
    const asked = confirm(promptOf('k3m9'), never)
    await settled()
    await type('k3m9 yes\n')
    clock.advance(MIN_READING_MS - 1)
    await type('k3m9 yes\n')
    expect(shown()).not.toContain('is ignored')
    clock.advance(1)
    expect(shown()).toContain('Input from before the prompt was readable is ignored.\nAnswer with:  k3m9 yes')
    await type('k3m9 no\n')
    expect(await asked).toBe(false)
    expect(clock.pending).toBe(0)
    await read()
  })
  test('discards input of a cancelled prompt', async () => {
    const { clock, type, read, confirm, shown } = start()
    const stop = new AbortController()
    const first = expect(confirm(promptOf('aaaa'), stop.signal)).rejects.toThrow()
    await read()
    await type('aaaa ye')
    stop.abort()
    await first
    const second = confirm(promptOf('bbbb'), never)
    await settled()
    await type('s\n')
    clock.advance(MIN_READING_MS)
    await type('aaaa yes\n')
    await type('yes\n')
    expect(shown()).toContain('Prompt aaaa was answered elsewhere or cancelled.')
    await type('bbbb no\n')
    expect(await second).toBe(false)
  })
  test('waits for the previous prompt', async () => {
    const { type, read, confirm, shown } = start()
    const [one, two] = [confirm(promptOf('aaaa', 'First?'), never), confirm(promptOf('bbbb', 'Second?'), never)]
    await read()
    expect(shown()).not.toContain('Second?')
    await type('aaaa yes\n')
    expect(await one).toBe(true)
    await read()
    expect(shown()).toContain('Second?')
    await type('bbbb no\n')
    expect(await two).toBe(false)
  })
  test('ends when it is answered elsewhere', async () => {
    const { confirm, shown, clock } = start()
    const stop = new AbortController()
    const asked = expect(confirm(promptOf('aaaa', 'Still?'), stop.signal)).rejects.toThrow()
    await settled()
    stop.abort()
    await asked
    await settled()
    expect(shown()).toContain('answered elsewhere')
    await expect(confirm(promptOf('bbbb', 'Late?'), stop.signal)).rejects.toThrow('answered elsewhere')
    expect(shown()).not.toContain('Late?')
    expect(clock.pending).toBe(0)
  })
  test('is not shown by a background process, and rejects at the end of input', async () => {
    const background = start(() => false)
    await expect(background.confirm(promptOf('aaaa'), never)).rejects.toThrow('another program')
    expect(background.shown()).toBe('')
    const { input, confirm } = start()
    const asked = expect(confirm(promptOf('aaaa'), never)).rejects.toThrow('without an answer')
    await settled()
    input.end()
    await asked
  })
})
