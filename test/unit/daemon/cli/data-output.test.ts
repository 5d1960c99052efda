/** What happens when stdout does not take the data of a command. */
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { DataOutput } from '#daemon/src/cli/data-output.ts'

type Failure = NodeJS.ErrnoException | null

/** A stream whose writes end as the test says. */
class Stream extends EventEmitter {
  readonly written: string[] = []
  failure: Failure = null
  write(text: string, done: (error?: Failure) => void): boolean {
    this.written.push(text)
    if (this.failure !== null && text !== '') this.emit('error', this.failure)
    done(this.failure)
    return true
  }
}

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`${code}: write`), { code })

function open() {
  const stream = new Stream()
  const said: string[] = []
  return { stream, said, output: new DataOutput(stream, (sentence) => said.push(sentence)) }
}

test('writes lines', async () => {
  const { stream, said, output } = open()
  output.line('one')
  await output.flushed()
  expect([stream.written, said, output.hasFailed]).toEqual([['one\n', ''], [], false])
})

test('a full device is reported once, and ends those who wait', async () => {
  const { stream, said, output } = open()
  const ended = output.untilEnded()
  stream.failure = failure('ENOSPC')
  output.line('one')
  output.line('two')
  expect(await ended).toBe('ENOSPC')
  await output.flushed()
  expect([said, output.hasFailed]).toEqual([['The output could not be written (ENOSPC: write). Some of it is missing.'], true])
})

test('a reader that has left is no failure, but ends those who wait', async () => {
  const { stream, said, output } = open()
  stream.failure = failure('EPIPE')
  output.line('one')
  expect(await output.untilEnded()).toBe('EPIPE')
  expect([said, output.hasFailed]).toEqual([[], false])
})
