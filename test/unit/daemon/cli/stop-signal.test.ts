import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { type SignalSource, untilStopped } from '../../../../daemon/src/cli/stop-signal.ts'

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

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s asks for a graceful end', async (signal) => {
  const { stopped, send, exits } = fakeProcess()
  send(signal)
  expect(await stopped).toBe(signal)
  expect(exits).toEqual([])
})

test('the echo of a signal, as npm and launchers make it, is not a second one', () => {
  const { send, exits } = fakeProcess()
  send('SIGINT')
  send('SIGINT', 5)
  send('SIGTERM', 100)
  expect(exits).toEqual([])
})

test('a second signal ends at once, with the code of a process ended by it', () => {
  const { send, exits } = fakeProcess()
  send('SIGINT')
  send('SIGTERM', 2000)
  expect(exits).toEqual([128 + 15])
})
