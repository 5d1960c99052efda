/** A service manager opens the socket and hands it over: the daemon serves it, and leaves the file to its owner. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeAll, openPair, openSocket } from '#test/support/descriptors.ts'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment, type Folders, folders, SMOKE_TARGETS } from './support/daemon.ts'
import { programMade } from './support/program.ts'
import { RawClient } from './support/raw-client.ts'

describe.skipIf(process.platform !== 'linux').each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  beforeEach(async () => {
    at = await folders()
  })
  const started: ChildProcess[] = []
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
    await at.remove()
  })

  /** Starts the daemon as a service manager does. */
  const activate = (descriptors: readonly number[]) => {
    const words = ['run', '--json', '--consent', 'allow', '--data-dir', at.data, '--runtime-dir', at.runtime]
    // The shell learns its own pid, which exec keeps: the daemon must see it in LISTEN_PID.
    const start = `LISTEN_PID=$$ LISTEN_FDS=${descriptors.length} exec "$@"`
    const child = spawn('/bin/sh', ['-c', start, 'sh', ...target.command, ...words], {
      env: { ...cleanEnvironment(), HOME: at.data },
      stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    })
    started.push(child)
    return child
  }

  test.each([
    ['a file', () => openSync('/dev/null', 'r'), 'is no socket'],
    ['a port', () => openSocket({ family: 'ipv4' }), 'every user could reach'],
    ['a port of IPv6', () => openSocket({ family: 'ipv6' }), 'every user could reach'],
    ['an abstract socket', () => openSocket({ path: `\0${at.base}` }), 'every user could reach'],
    ['a datagram socket', () => openSocket({ type: 'datagram', path: join(at.base, 'd'), isListening: false }), 'no stream socket'],
    ['a connected socket', () => openPair()[0], 'Accept=no'],
  ])('does not start with %s, and says why', async (_, open, sentence) => {
    mkdirSync(at.runtime, { recursive: true, mode: 0o700 })
    await programMade()
    const descriptors = [openSocket({ path: join(at.runtime, 'discord-ipc-0') }), open()]
    const child = activate(descriptors)
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const code = await ended(child)
    closeAll(descriptors)
    expect(printed).toContain('Descriptor 4 of the socket unit')
    expect(printed).toContain(sentence)
    expect(printed).not.toMatch(/^ +at /m)
    expect(code).toBe(1)
  })

  test('names sockets that listen beside the slots, and leaves the slot that another server has', async () => {
    const beside = join(at.runtime, 'sallyport')
    mkdirSync(beside, { recursive: true, mode: 0o700 })
    await programMade()
    const slot = (number: number) => join(at.runtime, `discord-ipc-${number}`)
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(slot(0), resolve))
    const fds = [openSocket({ path: join(beside, 'discord-ipc-0') }), openSocket({ path: join(beside, 'sallyport-wine-discord-ipc-0') })]
    const child = activate(fds)
    const line = await new Promise<string>((resolve) => child.stdout?.setEncoding('utf8').once('data', resolve))
    closeAll(fds)
    expect(JSON.parse(line)).toMatchObject({ event: 'ready', ipc: [slot(1)] })
    const client = await RawClient.ready(slot(1))
    await expect.poll(() => existsSync(join(at.runtime, 'sallyport-wine-discord-ipc-1'))).toBe(true)
    // Games in Flatpak find it too.
    await expect.poll(() => existsSync(join(at.runtime, 'app/com.discordapp.Discord/discord-ipc-0'))).toBe(true)
    await new Promise((resolve) => other.close(resolve))
    await expect.poll(() => RawClient.ready(slot(0)).then((game) => game.hangUp(), String)).toBeUndefined()
    expect(existsSync(slot(1))).toBe(false)
    expect(await client.call('GET_BRIDGE_STATUS')).toHaveProperty('evt', null)
    client.hangUp()
    child.kill('SIGTERM')
    await ended(child)
    // The name stays for the next start.
    expect(existsSync(slot(0))).toBe(true)
  })

  test('serves the descriptors it was given, and knows the one for Wine by its path', async () => {
    mkdirSync(at.runtime, { recursive: true, mode: 0o700 })
    await programMade()
    const path = join(at.runtime, 'discord-ipc-0')
    const winePath = join(at.runtime, 'sallyport-wine-discord-ipc-0')
    const [fd, wineFd] = [openSocket({ path }), openSocket({ path: winePath })]
    const child = activate([fd, wineFd])
    const line = await new Promise<string>((resolve) => child.stdout?.setEncoding('utf8').once('data', resolve))
    closeAll([fd, wineFd])
    expect(JSON.parse(line)).toMatchObject({ event: 'ready', ipc: [path] })

    const client = await RawClient.ready(path)
    expect(await client.call('SET_ACTIVITY', { pid: 1, activity: { state: 'activated' } })).toMatchObject({ data: { state: 'activated' } })
    client.hangUp()
    // It expects an introduction, so a greeting ends the connection there.
    await expect(RawClient.ready(winePath)).rejects.toThrow()
    child.kill('SIGTERM')
    await new Promise((done) => child.once('exit', done))
    expect([path, winePath].map((one) => existsSync(one))).toEqual([true, true])
  })
})
