/** Waits for the shell that removes the names of a killed daemon. It starts half a second after the daemon, which is not quick enough for a test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import type { Daemon } from './daemon.ts'
import { RawClient } from './raw-client.ts'

const isShellOf = (parent: number, process: string): boolean => {
  const file = `/proc/${process}/stat`
  const [, name, of] = (existsSync(file) && /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(file, 'utf8'))) || []
  return name === 'sh' && Number(of) === parent
}

/** Resolves when the shell knows the names. */
export async function namesKept({ ready, socket }: Pick<Daemon, 'ready' | 'socket'>): Promise<void> {
  const processes = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  await vi.waitFor(() => expect(processes().some((process) => isShellOf(ready.pid, process))).toBe(true), SOON)
  // The daemon writes them before it greets the next client.
  const client = await RawClient.ready(socket, { client_id: '1180000000000000042' })
  client.hangUp()
}
