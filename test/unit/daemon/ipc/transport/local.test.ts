import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** A separate process, because worker threads cannot set the umask. It prints each peer on a line and exits with its input. */
const SCRIPT = `
  const { nodeIpcListener } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../../daemon/src/ipc/transport/node-ipc-listener.ts'))})
  const { openLocalSockets } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../../daemon/src/ipc/transport/local.ts'))})
  const before = process.umask()
  const say = (what) => process.stdout.write(JSON.stringify(what) + '\\n')
  const onChannel = (channel) => {
    say(channel.peer)
    return { onBytes() {}, onDrain() {}, onEnd: () => channel.end(), onClose() {} }
  }
  const { sockets, ownAddress, close } = await openLocalSockets({ directory: process.argv[1], ipcPrefix: 'discord-ipc', hasPrivateFolder: process.argv[2] === 'with-private', onNeeded() {} })
  const closers = []
  for (const socket of sockets) closers.push(await nodeIpcListener(socket).listen(onChannel))
  const addresses = sockets.map(({ address }) => address)
  say({ addresses, ownAddress, isUmaskKept: process.umask() === before })
  for await (const _ of process.stdin);
  for (const end of closers) await end()
  await close()
  say('closed')`

let directory: string
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'local-')), 'run')
})
afterEach(() => rmSync(join(directory, '..'), { recursive: true }))

async function listen(...words: readonly 'with-private'[]) {
  const child = spawn(
    process.execPath,
    ['--conditions=sallyport-source', '--no-warnings', '--input-type=module', '-e', SCRIPT, directory, ...words],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const received = async (): Promise<any> => JSON.parse(((await lines.next()) as { value: string }).value)
  const said = (await received()) as { addresses: [string, ...string[]]; ownAddress: string; isUmaskKept: boolean }
  const { addresses, ownAddress, isUmaskKept } = said
  return {
    address: addresses[0],
    addresses,
    ownAddress,
    isUmaskKept,
    received,
    stop: async () => {
      const exit = once(child, 'exit')
      child.stdin.end()
      await exit
    },
    kill: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

const slot = (number: number): string => join(directory, `discord-ipc-${number}`)

describe.skipIf(process.platform === 'win32')('the local listener', () => {
  test.runIf(process.platform === 'linux')(
    'has the socket for pipe bridges of Wine as soon as it has a slot, and removes it at the end',
    async () => {
      const taken = createServer()
      mkdirSync(directory, { mode: 0o700 })
      await once(taken.listen(slot(0)), 'listening')
      const daemon = await listen()
      const forWine = join(directory, 'sallyport-wine-discord-ipc-1')
      const bridge = connect(forWine)
      await once(bridge, 'connect')
      bridge.destroy()
      expect(readdirSync(directory).filter((name) => name.startsWith('sallyport-wine-'))).toEqual(['sallyport-wine-discord-ipc-1'])
      await daemon.stop()
      expect(existsSync(forWine)).toBe(false)
      taken.close()
    },
  )
  test('makes a private directory and a socket that only this user may open, and removes it at the end', { tags: ['1-16'] }, async () => {
    const daemon = await listen()
    expect(daemon.address).toBe(slot(0))
    expect(daemon.isUmaskKept).toBe(true)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(slot(0)).mode & 0o777).toBe(0o600)
    await daemon.stop()
    expect(existsSync(slot(0))).toBe(false)
  })
  test('takes the slot of a killed daemon', async () => {
    await (await listen()).kill()
    expect(existsSync(slot(0))).toBe(true)
    const next = await listen()
    expect(next.address).toBe(slot(0))
    await next.stop()
  })
  test('takes another slot than a live daemon, and frees it at the end', async () => {
    const [one, two] = await Promise.all([listen(), listen()])
    expect([one.address, two.address].toSorted()).toEqual([slot(0), slot(1)])
    await one.stop()
    expect(existsSync(two.address)).toBe(true)
    await two.stop()
  })
  test('also listens in a private directory when other users can write to the shared one, and removes both sockets', async () => {
    mkdirSync(directory)
    chmodSync(directory, 0o1777)
    const own = join(directory, `sallyport-${process.getuid?.()}`)
    const daemon = await listen('with-private')
    expect(daemon.addresses).toEqual([slot(0), join(own, 'discord-ipc-0')])
    expect(daemon.ownAddress).toBe(join(own, 'discord-ipc-0'))
    expect(statSync(own).mode & 0o777).toBe(0o700)
    for (const address of daemon.addresses) {
      const socket = connect(address)
      await once(socket, 'connect')
      expect(await daemon.received()).toMatchObject({ pid: process.pid })
      socket.destroy()
    }
    await daemon.stop()
    expect(daemon.addresses.filter((address) => existsSync(address))).toEqual([])
  })
  test('listens once in a configured directory or in one that only this user can write to', async () => {
    const usual = await listen('with-private')
    expect([usual.addresses, usual.ownAddress]).toEqual([[slot(0)], slot(0)])
    await usual.stop()
    chmodSync(directory, 0o1777)
    const chosen = await listen()
    expect(chosen.addresses).toEqual([slot(0)])
    await chosen.stop()
  })
  test('identifies its peers', async () => {
    const daemon = await listen()
    const socket = connect(daemon.address)
    await once(socket, 'connect')
    expect(await daemon.received()).toMatchObject({ trust: 'kernel', uid: process.getuid?.(), pid: process.pid })
    socket.destroy()
    await daemon.stop()
  })
})
