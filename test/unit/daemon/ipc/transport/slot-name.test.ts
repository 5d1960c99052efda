/** How a socket gets the name of a slot, takes the first one later, and gives a name up; with servers of other programs beside it. */
import { spawn } from 'node:child_process'
import { linkSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeAll, openSocket } from '#test/support/descriptors.ts'
import { SOON } from '#test/support/soon.ts'
import { clearSlot, probeSlot, surveySlots } from '#daemon/src/ipc/transport/address.ts'
import { FirstSlotWatch } from '#daemon/src/ipc/transport/first-slot.ts'
import { SlotName } from '#daemon/src/ipc/transport/slot-name.ts'
import { addName, isNamed, removeName, socketFileAt } from '#daemon/src/ipc/transport/socket-name.ts'

let directory: string
const ends: (() => unknown)[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'names-'))
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  rmSync(directory, { recursive: true })
})

const slot = (number: number): string => join(directory, `discord-ipc-${number}`)

async function serve(path: string): Promise<Server> {
  const server = createServer((socket) => socket.on('data', (bytes) => socket.write(bytes)).on('error', () => {}))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  ends.push(() => new Promise((resolve) => (server.listening ? server.close(resolve) : resolve(undefined))))
  return server
}

/** A server in a process of its own, which a signal ends without a goodbye. */
async function serveAside(path: string): Promise<() => Promise<void>> {
  const script = `require('node:net').createServer().listen(process.argv[1], () => console.log('listens'))`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exit
  }
  ends.push(kill)
  await once(child.stdout, 'data')
  return kill
}

/** Our socket, in the first slot that is free. */
async function named(): Promise<SlotName> {
  const from = join(directory, 'anchor')
  await serve(from)
  return SlotName.claim({ directory, ipcPrefix: 'discord-ipc', platform: 'linux' }, from)
}

test('what opens before a slot is named sees each name before it is there', async () => {
  const from = join(directory, 'anchor')
  await serve(from)
  const seen: [string, boolean][] = []
  const place = { directory, ipcPrefix: 'discord-ipc', platform: 'linux' } as const
  const name = await SlotName.claim(place, from, async (path) => {
    seen.push([path, lstatSync(path, { throwIfNoEntry: false }) !== undefined])
    // Another server is faster.
    if (path === slot(0)) await serve(path)
  })
  expect([name.path, seen]).toEqual([
    slot(1),
    [
      [slot(0), false],
      [slot(1), false],
    ],
  ])
  name.remove()
})

const watching = (name: SlotName, onTaken: () => void = () => {}): FirstSlotWatch => {
  const watch = new FirstSlotWatch(name.firstPath, () => name.takeFirst(onTaken))
  ends.push(() => watch.stop())
  return watch
}

/** Resolves when a connection to the path gets its bytes back. */
async function isEchoed(path: string): Promise<boolean> {
  const socket = connect(path)
  socket.write('x')
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return String(bytes) === 'x'
}

describe.skipIf(process.platform === 'win32')('the name of a socket', () => {
  test('is the first slot; at the end it is removed', async () => {
    const name = await named()
    expect([name.path, name.isFirst]).toEqual([slot(0), true])
    expect(await isEchoed(slot(0))).toBe(true)
    name.remove()
    expect(readdirSync(directory)).toEqual(['anchor'])
  })

  test('is kept if the socket has one already, also when a later slot is free', async () => {
    const from = join(directory, 'anchor')
    await serve(from)
    linkSync(from, slot(0))
    const name = await SlotName.claim({ directory, ipcPrefix: 'discord-ipc', platform: 'linux' }, from)
    expect(name.path).toBe(slot(0))
    expect(readdirSync(directory).toSorted()).toEqual(['anchor', 'discord-ipc-0'])
  })

  test('is not removed when another program has replaced it', async () => {
    const name = await named()
    await serve(join(directory, 'theirs'))
    renameSync(join(directory, 'theirs'), slot(0))
    name.remove()
    expect(await isEchoed(slot(0))).toBe(true)
  })

  test.each(['ends', 'is killed'])('becomes the first slot when the server there %s, and the later one is free', async (how) => {
    const kill = await serveAside(slot(0))
    const name = await named()
    expect(name.path).toBe(slot(1))
    const game = connect(slot(1))
    await once(game, 'connect')
    const seen: boolean[] = []
    // Both names lead to the socket for a moment, so no game finds none.
    watching(name, () => seen.push(isNamed(slot(1), socketFileAt(slot(0)))))
    if (how === 'ends') rmSync(slot(0))
    else await kill()
    await expect.poll(() => name.path, SOON).toBe(slot(0))
    expect(seen).toEqual([true])
    expect(lstatSync(slot(1), { throwIfNoEntry: false })).toBeUndefined()
    expect(await isEchoed(slot(0))).toBe(true)
    game.write('y')
    expect(String(((await once(game, 'data')) as [Buffer])[0])).toBe('y')
    game.destroy()
  })

  test('is looked at again when the server there is killed before it takes the connection', async () => {
    const server = await serve(join(directory, 'theirs'))
    linkSync(join(directory, 'theirs'), slot(0))
    let looks = 0
    const watch = new FirstSlotWatch(slot(0), async () => ++looks > 1)
    ends.push(() => watch.stop())
    // The connection is made in these turns, and the server gets none of its events before it ends.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    server.close()
    await expect.poll(() => looks, SOON).toBe(2)
  })

  test('is taken again when the server that ends removes the name twice, as the library below it does', async () => {
    await serveAside(slot(0))
    const name = await named()
    const ours = socketFileAt(slot(1))
    watching(name)
    rmSync(slot(0))
    await expect.poll(() => isNamed(slot(0), ours), SOON).toBe(true)
    rmSync(slot(0))
    expect(await isEchoed(slot(1))).toBe(true)
    await expect.poll(() => name.path, SOON).toBe(slot(0))
    expect(await isEchoed(slot(0))).toBe(true)
    expect(lstatSync(slot(1), { throwIfNoEntry: false })).toBeUndefined()
  })

  test('stays in the later slot while the first is a file or a link that leads nowhere', async () => {
    for (const plant of [() => writeFileSync(slot(0), 'precious'), () => symlinkSync(join(directory, 'nowhere'), slot(0))]) {
      plant()
      const name = await named()
      expect(await name.takeFirst(() => {})).toBe(false)
      expect([name.path, lstatSync(slot(0)).isSocket()]).toEqual([slot(1), false])
      name.remove()
      rmSync(slot(0))
      rmSync(join(directory, 'anchor'))
    }
  })

  test('a server that closes silent connections keeps the slot, and loses it when it ends', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(slot(0), resolve))
    const name = await named()
    watching(name)
    await once(server, 'connection')
    expect(name.path).toBe(slot(1))
    await new Promise((resolve) => server.close(resolve))
    await expect.poll(() => name.path, SOON).toBe(slot(0))
  })
})

describe.skipIf(process.platform === 'win32')('a server that starts', () => {
  test('keeps its name while it is bound and does not listen yet', async () => {
    const bound = openSocket({ path: slot(0), isListening: false })
    ends.push(() => closeAll([bound]))
    const clearing = clearSlot(slot(0))
    // It listens from now on.
    expect(await probeSlot(slot(0))).toBe('stale')
    rmSync(slot(0))
    await serve(slot(0))
    await expect(clearing).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(await isEchoed(slot(0))).toBe(true)
  })

  test('is gone when it has not listened for a second, or is old', async () => {
    for (const age of ['young', 'old']) {
      const bound = openSocket({ path: slot(0), isListening: false })
      if (age === 'old') utimesSync(slot(0), 1, 1)
      await clearSlot(slot(0))
      expect(lstatSync(slot(0), { throwIfNoEntry: false })).toBeUndefined()
      closeAll([bound])
    }
  })

  test('is not removed by a survey', async () => {
    await serve(slot(3))
    expect(await surveySlots({ directory, ipcPrefix: 'discord-ipc', platform: 'linux' })).toEqual({
      taken: [slot(3)],
      removed: [],
      foreign: [],
    })
  })
})

test.skipIf(process.platform === 'win32')('a name is given and taken only where it is free and ours', async () => {
  await serve(slot(0))
  await serve(slot(1))
  expect(addName(slot(0), slot(1))).toBe(false)
  expect(removeName(slot(1), socketFileAt(slot(0)))).toBe(false)
  expect(addName(slot(0), slot(2))).toBe(true)
  expect(removeName(slot(2), socketFileAt(slot(0)))).toBe(true)
  expect(readdirSync(directory).toSorted()).toEqual(['discord-ipc-0', 'discord-ipc-1'])
})
