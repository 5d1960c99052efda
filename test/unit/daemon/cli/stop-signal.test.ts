import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { type SignalSource, untilStopped } from '#daemon/src/cli/stop-signal.ts'

function fakeProcess() {
  const emitter = new EventEmitter()
  const exits: number[] = []
  const source: SignalSource = { on: (signal, listener) => emitter.on(signal, listener), exit: (code) => void exits.push(code) }
  let nowMs = 1000
  return {
    exits,
    stopped: untilStopped(source, () => nowMs),
    send: (signal: string, afterMs = 0) => {
      nowMs += afterMs
      emitter.emit(signal, signal)
    },
  }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s requests a graceful stop', async (signal) => {
  const { stopped, send, exits } = fakeProcess()
  send(signal)
  expect(await stopped).toBe(signal)
  expect(exits).toEqual([])
})

test('a duplicate signal from npm or the launcher is ignored', () => {
  const { send, exits } = fakeProcess()
  send('SIGINT')
  send('SIGINT', 5)
  send('SIGTERM', 100)
  expect(exits).toEqual([])
})

test('a second signal exits at once with 128 plus its number', () => {
  const { send, exits } = fakeProcess()
  send('SIGINT')
  send('SIGTERM', 2000)
  expect(exits).toEqual([128 + 15])
})
