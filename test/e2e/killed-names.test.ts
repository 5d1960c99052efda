/** A daemon that is killed without a service manager leaves no socket behind, so old clients see that there is none, and removes no other one. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  const names = (): readonly string[] => readdirSync(at.runtime)
  const sockets = (): readonly string[] => names().filter((name) => name.startsWith('discord-ipc-') || name.startsWith('.sp-'))
  const isShell = (pid: string): boolean => {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name === 'sh' && Number(parent) === daemon.pid
  }
  /** The shell is there. After one more greeting the daemon has told it the names. */
  const isKept = async (): Promise<void> => {
    const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    await vi.waitFor(() => expect(pids().some(isShell)).toBe(true), SOON)
    const game = await RawClient.ready(daemon.socket, { client_id: '1180000000000000042' })
    await game.hangUp()
  }

  beforeEach(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
    await isKept()
  })
  afterEach(() => at.remove())

  test('leaves no name of its socket when it is killed', async () => {
    await daemon.kill()
    await vi.waitFor(() => expect(sockets()).toEqual([]), SOON)
  })

  test('leaves no name of its socket when it stops', async () => {
    await daemon.stop()
    expect(sockets()).toEqual([])
  })

  test('leaves the socket of another server that has its name by then', async () => {
    const slot = join(at.runtime, 'discord-ipc-0')
    renameSync(slot, join(at.runtime, 'moved'))
    const other = createServer().listen(slot)
    await once(other, 'listening')
    await daemon.kill()
    await vi.waitFor(() => expect(sockets()).toEqual(['discord-ipc-0']), SOON)
    const client = connect(slot)
    await once(client, 'connect')
    client.destroy()
    other.close()
    rmSync(join(at.runtime, 'moved'))
  })

  test('is followed by another one in the same slot', async () => {
    await daemon.kill()
    daemon = await startDaemon(target, at)
    await isKept()
    await daemon.stop()
    expect(sockets()).toEqual([])
  })
})
