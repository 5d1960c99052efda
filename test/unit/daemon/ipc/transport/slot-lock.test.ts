import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockSlots } from '#daemon/src/ipc/transport/slot-lock.ts'
import { canBeOther, OTHER_UID } from '#test/support/other-user.ts'

let directory: string
let lock: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'))
  lock = join(directory, `.sallyport-slots-${process.getuid?.() ?? 0}.lock`)
})
afterEach(() => rmSync(directory, { recursive: true }))

const write = (text: string): void => writeFileSync(lock, text, { mode: 0o600 })

/** Whether the lock can be acquired immediately, as the only file there. */
async function isHad(): Promise<boolean> {
  const unlock = await lockSlots(directory)
  const text = readFileSync(lock, 'utf8')
  unlock()
  return text.startsWith(`${process.pid} `) && readdirSync(directory).length === 0
}

describe.skipIf(process.platform === 'win32')('the lock', () => {
  test('identifies its holder and is removed on unlock', async () => expect(await isHad()).toBe(true))

  test('is waited for while its holder lives, and acquired after the unlock', async () => {
    const unlock = await lockSlots(directory)
    let isWaiting = true
    const second = lockSlots(directory).then((unlockSecond) => {
      isWaiting = false
      unlockSecond()
    })
    await new Promise(setImmediate)
    expect(isWaiting).toBe(true)
    unlock()
    await second
  })

  test('of a live process that does not finish causes an error with the path of the lock', async () => {
    const unlock = await lockSlots(directory)
    await expect(lockSlots(directory)).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(lock) })
    unlock()
  })

  test.each([
    ['of a process that is gone', '999999999 1'],
    ['with a number that is no process of a daemon', '1'],
    ['without text', ''],
    ['with a text that is none', 'x'.repeat(31)],
    ['with far too much text', 'x'.repeat(100_000)],
  ])('%s is ignored', async (_, text) => {
    write(text)
    expect(await isHad()).toBe(true)
  })

  test.runIf(process.platform === 'linux')('of a killed daemon whose process id was reused is ignored', async () => {
    const other = spawn('sleep', ['60'])
    await once(other, 'spawn')
    write(`${other.pid} 1`)
    expect(await isHad()).toBe(true)
    other.kill('SIGKILL')
    await once(other, 'exit')
  })

  test('is skipped if a FIFO, a directory or a link is at its path, which stays', async () => {
    const others: readonly (() => void)[] = [
      () => void execFileSync('mkfifo', [lock]),
      () => mkdirSync(lock),
      () => symlinkSync(join(directory, 'nowhere'), lock),
    ]
    for (const put of others) {
      put()
      const unlock = await lockSlots(directory)
      unlock()
      expect(readdirSync(directory)).toEqual([`.sallyport-slots-${process.getuid?.()}.lock`])
      rmSync(lock, { recursive: true })
    }
  })

  test.runIf(canBeOther)('of another user is skipped regardless of its text', async () => {
    write(`${process.pid} 1`)
    chownSync(lock, OTHER_UID, OTHER_UID)
    const unlock = await lockSlots(directory)
    unlock()
    expect(existsSync(lock)).toBe(true)
  })
})
