/**
 * Accesses the keychain in a child process. Its library waits in a constructor, where an unresponsive bus would block the daemon forever, and
 * in worker threads, where an open unlock prompt would keep the daemon from exiting. A child process can be killed.
 */
import { spawn } from 'node:child_process'
import { isSea } from 'node:sea'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import type { KeyStore } from './key-store.ts'
import { keychain, type SendToKeychain, type KeychainResponse } from './keychain.ts'
import { KEYCHAIN_SUBCOMMAND } from './keychain-subcommand.ts'

/** File descriptor of the IPC channel, which Node assigns on every system. */
export const CHANNEL = 3

/** The command line that runs this program as the keychain child. */
export function selfCommand(): readonly [string, ...string[]] {
  // The debugger's port is in use.
  const nodeFlags = process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
  const [, script = ''] = process.argv
  return [process.execPath, ...(isSea() ? [] : [...nodeFlags, script]), KEYCHAIN_SUBCOMMAND]
}

/** The keychain for one use of a command. */
export const systemKeychain = (): KeyStore => keychain(createKeychainClient(selfCommand()).send)

export function createKeychainClient([program, ...args]: readonly [string, ...string[]]) {
  const running = new Set<() => void>()

  const send: SendToKeychain = (request, deadlineMs) =>
    new Promise((resolve) => {
      const child = spawn(program, args, {
        env: childEnvironment('keychain'),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        windowsHide: true,
      })
      const end = () => void child.kill('SIGKILL')
      const timer = setTimeout(end, deadlineMs)
      timer.unref()
      running.add(end)
      let response: KeychainResponse | undefined
      const settle = (result: KeychainResponse | undefined) => {
        clearTimeout(timer)
        running.delete(end)
        resolve(result)
      }
      child.once('message', (message) => {
        response = message as KeychainResponse
      })
      child.once('error', (failure) => settle({ ok: false, problem: 'addon', message: failure.message }))
      child.once('close', (code) => settle(code === 0 ? response : undefined))
      // The child may exit before it has read the request; then there is no response.
      child.send(request, () => {})
    })

  return {
    send,
    /** Kills the running children. */
    close(): void {
      for (const end of running) end()
    },
  }
}
