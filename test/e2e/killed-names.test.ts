/** A daemon that is killed without a service manager leaves no socket behind, so old clients see that there is none, and removes no other one. */
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { namesKept } from './support/name-keeper.ts'

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  const names = (): readonly string[] => readdirSync(at.runtime)
  const sockets = (): readonly string[] => names().filter((name) => name.startsWith('discord-ipc-') || name.startsWith('.sp-'))

  beforeEach(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
    await namesKept(daemon)
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
    await namesKept(daemon)
    await daemon.stop()
    expect(sockets()).toEqual([])
  })
})
