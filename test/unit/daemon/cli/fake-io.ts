/** An Io for tests: records the output, and the test sends the stop signal. */
import type { Io } from '#daemon/src/cli/command.ts'
import type { Machine } from '#daemon/src/config/paths.ts'
import { Secret } from '@sallyport/core/secret'

export interface FakeIo extends Io {
  readonly printed: string[]
  readonly said: string[]
  /** What was protected or read, in order. */
  readonly steps: string[]
  stop(signal: string): void
}

/** `typed`: the input for a secret or a line. */
export function fakeIo(env: Machine['env'] = {}, typed?: string): FakeIo {
  const printed: string[] = []
  const said: string[] = []
  const steps: string[] = []
  const { promise, resolve } = Promise.withResolvers<string>()
  return {
    printed,
    said,
    steps,
    out: (text) => void printed.push(text),
    info: (text) => void said.push(text),
    readSecret: async () => {
      steps.push('readSecret')
      return typed === undefined ? undefined : new Secret(typed)
    },
    machine: { platform: 'linux', env: { XDG_RUNTIME_DIR: '/run/x', ...env }, home: '/nowhere/at/all' },
    isStdoutTerminal: true,
    columns: 80,
    colours: { out: false, info: false },
    clearSecrets: () => {},
    harden: () => steps.push('harden') > 0,
    isAtTerminal: () => true,
    readLine: async (prompt) => {
      said.push(prompt)
      return typed
    },
    after: () => () => {},
    untilStopped: () => promise,
    ownCommand: () => 'sallyport',
    untilUnread: () => new Promise(() => {}),
    stop: resolve,
  }
}
