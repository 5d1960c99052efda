import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DirectoryWatch, watchDirectories } from '#daemon/src/platform/desktop/directory-watch.ts'
import { socketCandidates } from '#daemon/src/platform/desktop/socket-candidates.ts'

let directory: string
let watching: DirectoryWatch
const ends: (() => void)[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watch-'))
  watching = watchDirectories(socketCandidates({ directory, ipcPrefix: 'discord-ipc', platform: 'linux' }))
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  rmSync(directory, { recursive: true, force: true })
})

/** Resolves with the next change. */
const next = () => new Promise<void>((resolve) => ends.push(watching.subscribe(resolve)))

test('reports a new slot, and nothing else', async () => {
  let count = 0
  ends.push(watching.subscribe(() => count++))
  expect(watching.isWatching).toBe(true)
  writeFileSync(join(directory, 'something-else'), '')
  const changed = next()
  writeFileSync(join(directory, 'discord-ipc-3'), '')
  await changed
  const seen = count
  expect(seen).toBeGreaterThan(0)
})

test('follows package directories that are created later or recreated', async () => {
  const inside = join(directory, 'app', 'com.discordapp.Discord')
  for (let round = 0; round < 2; round++) {
    let isNoticed = next()
    mkdirSync(join(directory, 'app'))
    await isNoticed
    isNoticed = next()
    mkdirSync(inside)
    await isNoticed
    isNoticed = next()
    writeFileSync(join(inside, 'discord-ipc-0'), '')
    await isNoticed
    const isGone = next()
    rmSync(join(directory, 'app'), { recursive: true })
    await isGone
  }
})

test('watches nothing without listeners, and reports where it cannot watch', () => {
  expect(watching.isWatching).toBe(false)
  const end = watching.subscribe(() => {})
  expect(watching.isWatching).toBe(true)
  end()
  expect(watching.isWatching).toBe(false)
  const elsewhere = watchDirectories(
    socketCandidates({ directory: join(directory, 'missing'), ipcPrefix: 'discord-ipc', platform: 'linux' }),
  )
  ends.push(elsewhere.subscribe(() => {}))
  expect(elsewhere.isWatching).toBe(false)
})
