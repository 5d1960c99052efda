import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimSlot, isLaterSlot, probeSlot } from '#daemon/src/ipc/transport/address.ts'

let directory: string
let servers: Server[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slots-'))
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  rmSync(directory, { recursive: true })
})

const slot = (number: number): string => join(directory, `discord-ipc-${number}`)

async function serve(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  servers.push(server)
  return server
}

/** A stale socket file, as a killed process leaves it. */
async function abandon(path: string): Promise<void> {
  const elsewhere = `${path}.moved`
  const server = await serve(path)
  // Renamed, so that closing does not remove it.
  const { renameSync } = await import('node:fs')
  renameSync(path, elsewhere)
  await new Promise((resolve) => server.close(resolve))
  servers.pop()
  renameSync(elsewhere, path)
}

const claim = () => claimSlot({ directory, ipcPrefix: 'discord-ipc', platform: 'linux' }, serve).then(({ path }) => path)

describe.skipIf(process.platform === 'win32')('the slot', () => {
  test('is 0 when it is free', async () => expect(await claim()).toBe(slot(0)))
  test('is 0 when its socket is stale', async () => {
    await abandon(slot(0))
    expect(await probeSlot(slot(0))).toBe('stale')
    expect(await claim()).toBe(slot(0))
  })
  test('is the next one after a live server, which keeps running', async () => {
    await serve(slot(0))
    await serve(slot(1))
    expect(await claim()).toBe(slot(2))
    expect(await probeSlot(slot(0))).toBe('taken')
  })
  test('is never taken from a file that is not a socket', async () => {
    writeFileSync(slot(0), 'precious')
    expect(await claim()).toBe(slot(1))
    expect(lstatSync(slot(0)).isFile()).toBe(true)
  })
  test('is never taken from a dangling link', async () => {
    symlinkSync(join(directory, 'nowhere'), slot(0))
    expect(await claim()).toBe(slot(1))
    expect(lstatSync(slot(0)).isSymbolicLink()).toBe(true)
  })
  test('fails with advice when all ten are in use', async () => {
    for (let number = 0; number < 10; number++) await serve(slot(number))
    await expect(claim()).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('--runtime-dir') })
  })
  test('fails with advice when its path is too long for the system', async () => {
    const deep = join(directory, 'd'.repeat(120))
    mkdirSync(deep)
    await expect(claimSlot({ directory: deep, ipcPrefix: 'discord-ipc', platform: 'linux' }, serve)).rejects.toMatchObject({
      message: expect.stringMatching(/Cannot create sockets in .*Choose another --runtime-dir/),
    })
  })
  test('differs for two daemons that start together over stale sockets', async () => {
    await abandon(slot(0))
    expect((await Promise.all([claim(), claim()])).toSorted()).toEqual([slot(0), slot(1)])
    for (const path of [slot(0), slot(1)]) expect(await probeSlot(path)).toBe('taken')
  })
  test('leaves no lock behind, even after a failed bind', async () => {
    await claim()
    await expect(
      claimSlot({ directory, ipcPrefix: 'discord-ipc', platform: 'linux' }, () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no')
    expect(readdirSync(directory)).toEqual(['discord-ipc-0'])
  })
})

describe('the probe', () => {
  test('of a missing file returns free', async () => expect(await probeSlot(slot(0))).toBe('free'))
  test('of a server returns taken', async () => {
    await serve(slot(0))
    expect(await probeSlot(slot(0))).toBe('taken')
  })
})

test('only a slot after the first is a later one', () => {
  expect([0, 1, 9].map((number) => isLaterSlot(slot(number)))).toEqual([false, true, true])
  expect(isLaterSlot('fd:3')).toBe(false)
})
