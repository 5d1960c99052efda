import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { isInForeground, terminalConfirm } from '../../../../daemon/src/cli/terminal-question.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

function start(canRead = () => true) {
  const input = new PassThrough()
  const output = new PassThrough()
  let text = ''
  output.on('data', (chunk) => (text += String(chunk)))
  const shown = () => text
  return { input, shown, confirm: terminalConfirm(input, output, canRead) }
}

describe('a question in the terminal', () => {
  test.each([
    ['yes', true],
    [' Y ', true],
    ['no', false],
    ['n', false],
  ])('takes %j', async (typed, expected) => {
    const { input, confirm, shown } = start()
    const asked = confirm('The game wants to.', never)
    await settled()
    expect(shown()).toContain('The game wants to.')
    input.write(`\n${typed}\n`)
    expect(await asked).toBe(expected)
  })
  test('waits for the one before it', async () => {
    const { input, confirm, shown } = start()
    const [one, two] = [confirm('First?', never), confirm('Second?', never)]
    await settled()
    expect(shown()).not.toContain('Second?')
    input.write('yes\n')
    expect(await one).toBe(true)
    await settled()
    expect(shown()).toContain('Second?')
    input.write('no\n')
    expect(await two).toBe(false)
  })
  test('goes away when it is answered elsewhere', async () => {
    const { confirm, shown } = start()
    const stop = new AbortController()
    const asked = expect(confirm('Still?', stop.signal)).rejects.toThrow()
    await settled()
    stop.abort()
    await asked
    await settled()
    expect(shown()).toContain('Answered elsewhere')
    await expect(confirm('Late?', stop.signal)).rejects.toThrow('answered elsewhere')
    expect(shown()).not.toContain('Late?')
  })
  test('is not asked by a process in the background, nor answered by an end of input', async () => {
    const background = start(() => false)
    await expect(background.confirm('Now?', never)).rejects.toThrow('another program')
    expect(background.shown()).toBe('')
    const { input, confirm } = start()
    const asked = expect(confirm('Now?', never)).rejects.toThrow('no answer')
    await settled()
    input.end()
    await asked
  })
})

test('whether the terminal listens to this process can be asked', () => {
  expect(typeof isInForeground()).toBe('boolean')
})
