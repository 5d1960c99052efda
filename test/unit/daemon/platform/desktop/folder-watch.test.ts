import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FolderWatch, folderWatch } from '../../../../../daemon/src/platform/desktop/folder-watch.ts'
import { placesOf } from '../../../../../daemon/src/platform/desktop/places.ts'

let directory: string
let watching: FolderWatch
const ends: (() => void)[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watch-'))
  watching = folderWatch(placesOf({ directory, ipcPrefix: 'discord-ipc', platform: 'linux' }))
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  rmSync(directory, { recursive: true, force: true })
})

/** Resolves with the next change. */
const next = () => new Promise<void>((resolve) => ends.push(watching.wait(resolve)))

test('tells of a slot that appears, and of nothing else', async () => {
  let count = 0
  ends.push(watching.wait(() => count++))
  expect(watching.isWatching).toBe(true)
  writeFileSync(join(directory, 'something-else'), '')
  const changed = next()
  writeFileSync(join(directory, 'discord-ipc-3'), '')
  await changed
  const seen = count
  expect(seen).toBeGreaterThan(0)
})

test('follows into the folders of packages, made later and made anew', async () => {
  const inside = join(directory, 'app', 'com.discordapp.Discord')
  for (let round = 0; round < 2; round++) {
    let isTold = next()
    mkdirSync(join(directory, 'app'))
    await isTold
    isTold = next()
    mkdirSync(inside)
    await isTold
    isTold = next()
    writeFileSync(join(inside, 'discord-ipc-0'), '')
    await isTold
    const isGone = next()
    rmSync(join(directory, 'app'), { recursive: true })
    await isGone
  }
})

test('watches nothing while nobody waits, and says where it cannot', () => {
  expect(watching.isWatching).toBe(false)
  const end = watching.wait(() => {})
  expect(watching.isWatching).toBe(true)
  end()
  expect(watching.isWatching).toBe(false)
  const elsewhere = folderWatch(placesOf({ directory: join(directory, 'missing'), ipcPrefix: 'discord-ipc', platform: 'linux' }))
  ends.push(elsewhere.wait(() => {}))
  expect(elsewhere.isWatching).toBe(false)
})
