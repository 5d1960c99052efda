/** Games in Flatpak and Snap see a few folders below the runtime folder only: the daemon listens there too. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Daemon, type Folders, folders, SMOKE_TARGETS, startDaemon } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const FLATPAK = 'app/com.discordapp.Discord'
const SNAP = 'snap.discord'
const OF_FLATPAK = '.flatpak/com.discordapp.Discord/xdg-run'

describe.skipIf(process.platform !== 'linux').each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon | undefined
  const path = (folder: string, slot = 0) => join(at.runtime, folder, `discord-ipc-${slot}`)
  const run = async (...flags: readonly string[]) => (daemon = await startDaemon(target, at, flags))

  beforeEach(async () => {
    at = await folders()
    await mkdir(at.runtime, { mode: 0o700 })
  })
  afterEach(async () => {
    await daemon?.stop()
    await at.remove()
  })

  /** A game that searches at one path only, as one in a container does. */
  async function play(socket: string): Promise<void> {
    await expect.poll(() => existsSync(socket)).toBe(true)
    const game = await RawClient.ready(socket)
    expect(await game.call('SET_ACTIVITY', { pid: 1, activity: { state: 'contained' } })).toMatchObject({ data: { state: 'contained' } })
    game.hangUp()
  }

  test('a game that sees such a folder only reaches the daemon, which removes what it made', async () => {
    await mkdir(join(at.runtime, OF_FLATPAK), { recursive: true, mode: 0o700 })
    const { ready, stop } = await run()
    expect(ready.ipc).toEqual([path('.')])
    for (const folder of [FLATPAK, SNAP, OF_FLATPAK]) await play(path(folder))
    const { mode } = await stat(join(at.runtime, FLATPAK))
    expect(mode & 0o777).toBe(0o700)
    expect((await stat(path(FLATPAK))).mode & 0o777).toBe(0o600)
    expect(await stop()).toBe(0)
    expect((await readdir(at.runtime)).toSorted()).toEqual(['.flatpak'])
    expect(await readdir(join(at.runtime, OF_FLATPAK))).toEqual([])
  })

  test('the folders of Flatpak are not made, and those of the setting are', async () => {
    await run('--container-folders', 'snap.game,.flatpak/org.game/xdg-run')
    await play(path('snap.game'))
    expect(existsSync(join(at.runtime, '.flatpak'))).toBe(false)
    expect(existsSync(join(at.runtime, 'app'))).toBe(false)
  })

  test('off: none', async () => {
    await mkdir(join(at.runtime, SNAP), { mode: 0o700 })
    const { socket } = await run('--container-folders', 'off')
    const game = await RawClient.ready(socket)
    expect(await readdir(join(at.runtime, SNAP))).toEqual([])
    game.hangUp()
  })

  test('the socket of the packaged client stays, and the daemon takes the next slot', async () => {
    await mkdir(join(at.runtime, FLATPAK), { recursive: true, mode: 0o700 })
    const theirs = createServer((socket) => socket.resume().end())
    await new Promise<void>((done) => theirs.listen(path(FLATPAK), done))
    const { stop } = await run()
    await play(path(FLATPAK, 1))
    await stop()
    expect(existsSync(path(FLATPAK))).toBe(true)
    await new Promise((done) => theirs.close(done))
  })

  test('a folder that others can write to, and a file in its place, are left alone', async () => {
    const elsewhere = join(at.base, 'elsewhere')
    await mkdir(elsewhere)
    await mkdir(join(at.runtime, SNAP))
    await chmod(join(at.runtime, SNAP), 0o777)
    await writeFile(join(at.runtime, 'app'), '')
    await symlink(join(elsewhere, 'none'), join(at.runtime, '.flatpak'))
    const started = await run('--preload', 'idle')
    const game = await RawClient.ready(started.socket)
    await expect.poll(() => started.output().split('container-folder-not-served').length - 1).toBe(2)
    expect(await readdir(join(at.runtime, SNAP))).toEqual([])
    expect(await readdir(elsewhere)).toEqual([])
    game.hangUp()
  })
})
