/**
 * Asks the keychain in a child process. Its library waits for the system inside a constructor, where a bus that does not answer would stop
 * the daemon for good, and inside worker threads, where an open unlock prompt would keep the daemon from ending. A child can be ended.
 */
import { spawn } from 'node:child_process'
import { isSea } from 'node:sea'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import type { AskKeychain, KeychainAnswer } from './keychain.ts'

/** The first word of the command line that makes the program answer one question; not a command for people. */
export const KEYCHAIN_WORD = 'keychain-answer'

/** Number of the descriptor of its channel; node's own, so that it works on every system. */
export const CHANNEL = 3

export interface KeychainProcess {
  readonly ask: AskKeychain
  /** Ends what is under way. */
  close(): void
}

/** This program again, as the helper. */
export function ownHelper(): readonly [string, ...string[]] {
  // A debugger's port is taken already.
  const nodeFlags = process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
  const [, script = ''] = process.argv
  return [process.execPath, ...(isSea() ? [] : [...nodeFlags, script]), KEYCHAIN_WORD]
}

export function keychainProcess([program, ...words]: readonly [string, ...string[]]): KeychainProcess {
  const running = new Set<() => void>()

  const ask: AskKeychain = (request, deadlineMs) =>
    new Promise((resolve) => {
      const child = spawn(program, words, {
        env: childEnvironment('keychain'),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        windowsHide: true,
      })
      const end = () => void child.kill('SIGKILL')
      const timer = setTimeout(end, deadlineMs)
      timer.unref()
      running.add(end)
      let answer: KeychainAnswer | undefined
      const settle = (settled: KeychainAnswer | undefined) => {
        clearTimeout(timer)
        running.delete(end)
        resolve(settled)
      }
      child.once('message', (message) => {
        answer = message as KeychainAnswer
      })
      child.once('error', (failure) => settle({ ok: false, problem: 'addon', message: failure.message }))
      child.once('close', (code) => settle(code === 0 ? answer : undefined))
      // It may end before it has read everything; then there is no answer.
      child.send(request, () => {})
    })

  return {
    ask,
    close() {
      for (const end of running) end()
    },
  }
}
