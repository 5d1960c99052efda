import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type LaunchedProcess, type SignalSource, stop, stopWithLauncher, untilStopped } from '#daemon/src/cli/stop-signal.ts'

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

test('says what ended the process, where that is known', async () => {
  const [fromSystem, fromNpm] = [new EventEmitter(), new EventEmitter()]
  const stoppedBy = (emitter: EventEmitter) =>
    untilStopped({ on: (signal, listener) => emitter.on(signal, listener), exit: () => {} }, () => 0)
  const all = Promise.all([stoppedBy(fromSystem), stoppedBy(fromNpm)])
  fromSystem.emit('SIGTERM', 'SIGTERM', 15)
  stop(Object.assign(fromNpm, { exit: () => {} }), 'npm ended')
  expect(await all).toEqual(['SIGTERM', 'npm ended'])
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

describe('a program whose launcher stays', () => {
  function launched(channel: LaunchedProcess['channel']) {
    const emitter = new EventEmitter()
    const exits: number[] = []
    stopWithLauncher(Object.assign(emitter, { channel, exit: (code: number) => void exits.push(code) }))
    return { emitter, exits }
  }

  test('stops gracefully when the launcher ends, and the channel keeps no program running', () => {
    let isHeld = true
    const { emitter, exits } = launched({ unref: () => void (isHeld = false) })
    const signals: string[] = []
    emitter.on('SIGTERM', (name: string) => signals.push(name))
    emitter.emit('disconnect')
    expect([signals, exits, isHeld]).toEqual([['SIGTERM'], [], false])
  })
  test('exits if it waits for no signal', () => {
    const { emitter, exits } = launched({ unref() {} })
    emitter.emit('disconnect')
    expect(exits).toEqual([128 + 15])
  })
  test('is not followed if there is none', () => {
    const { emitter } = launched(undefined)
    expect(emitter.listenerCount('disconnect')).toBe(0)
  })
})
