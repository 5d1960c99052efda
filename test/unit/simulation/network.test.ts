/** The simulated network is as the system's: what a process has sent arrives, also when the process is killed just after it. */
import { EventEmitter } from 'node:events'
import type net from 'node:net'
import { describe, expect, it } from 'vitest'
import { Network } from '#test/simulation/machine/network.ts'
import { streamOf } from '#test/simulation/machine/random.ts'
import type { VirtualSocket } from '#test/simulation/machine/socket.ts'
import { asOwner, type Owner, Timeline } from '#test/simulation/machine/timeline.ts'

const SOCKET = '/run/daemon'

/** A daemon that does something with a connection, and is killed in the same moment. Returns what the game has read when its connection is over. */
async function readOf(work: (socket: VirtualSocket) => void): Promise<string> {
  const timeline = new Timeline(streamOf(1, 'timers'), (failure) => {
    throw failure
  })
  const network = new Network(timeline, streamOf(1, 'network'), { onBytes: () => {} })
  const daemon: Owner = { name: 'daemon', isDead: false }
  const server = new EventEmitter() as net.Server
  server.on('connection', (socket) => {
    work(socket as unknown as VirtualSocket)
    daemon.isDead = true
    asOwner(undefined, () => network.kill(daemon))
  })
  asOwner(daemon, () => network.listen(server, SOCKET))
  const game = asOwner({ name: 'game', isDead: false }, () => network.connect({ path: SOCKET }))
  const read: Buffer[] = []
  game.on('data', (bytes: Buffer) => read.push(bytes)).on('error', () => {})
  await timeline.until(new Promise((resolve) => game.once('close', resolve)))
  return Buffer.concat(read).toString()
}

describe('a process that is killed', () => {
  it('ends its connections', async () => {
    expect(await readOf(() => {})).toBe('')
  })

  it('has closed a connection before', async () => {
    expect(await readOf((socket) => void socket.destroy())).toBe('')
  })

  it('has written and closed before', async () => {
    expect(
      await readOf((socket) => {
        socket.write('goodbye')
        socket.destroy()
      }),
    ).toBe('goodbye')
  })
})
