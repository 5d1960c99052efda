/**
 * Asks the keychain in a child process. Its library waits for the system inside a constructor, where a bus that does not answer would stop
 * the daemon for good, and inside worker threads, where an open unlock prompt would keep the daemon from ending. A child can be ended.
 */
import { spawn } from 'node:child_process'
import { isSea } from 'node:sea'
import type { AskKeychain, KeychainAnswer } from './keychain.ts'

/** The first word of the command line that makes the program answer one question; not a command for people. */
export const KEYCHAIN_WORD = 'keychain-answer'

export interface KeychainProcess {
  readonly ask: AskKeychain
  /** Ends what is under way. */
  close(): void
}

/** An answer is one line of JSON around 32 bytes, or an error message. */
const MAX_ANSWER = 16 * 1024

/** This program again, as the helper that keeps its library in `directory` when it must be unpacked. */
export function ownHelper(directory: string): readonly [string, ...string[]] {
  // A debugger's port is taken already.
  const nodeFlags = process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
  const [, script = ''] = process.argv
  return [process.execPath, ...(isSea() ? [] : [...nodeFlags, script]), KEYCHAIN_WORD, directory]
}

/** Settings of ours, some of them secret, are not its business; the bus, the display and the home are. */
const helperEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SALLYPORT_')))

export function keychainProcess([program, ...words]: readonly [string, ...string[]]): KeychainProcess {
  const running = new Set<() => void>()

  const ask: AskKeychain = (request, deadlineMs) =>
    new Promise((resolve) => {
      const child = spawn(program, words, {
        env: helperEnvironment(process.env),
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      })
      const end = () => void child.kill('SIGKILL')
      const timer = setTimeout(end, deadlineMs)
      timer.unref()
      running.add(end)
      let told = ''
      const settle = (answer: KeychainAnswer | undefined) => {
        clearTimeout(timer)
        running.delete(end)
        resolve(answer)
      }
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        told += text
        if (told.length > MAX_ANSWER) end()
      })
      child.once('error', (failure) => settle({ ok: false, problem: 'addon', message: failure.message }))
      child.once('close', (code) => settle(code === 0 ? readAnswer(told) : undefined))
      // It may end before it has read everything.
      child.stdin.on('error', () => {})
      child.stdin.end(JSON.stringify(request))
    })

  return {
    ask,
    close() {
      for (const end of running) end()
    },
  }
}

function readAnswer(text: string): KeychainAnswer | undefined {
  try {
    return JSON.parse(text) as KeychainAnswer
  } catch {
    return undefined
  }
}
