/**
 * Programs without a grant open all connections that they can and read nothing. What the daemon holds for them
 * is bounded at every moment, and given back when they leave.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const MIB = 1024 * 1024
/** Of private memory above rest. */
const OF_PROGRAM = 64 * MIB
const OF_ALL = 256 * MIB
/** What the heap and the C library keep for themselves after a release. */
const SLACK = 16 * MIB
/** After they left. */
const GIVEN_BACK = { timeout: 60_000, interval: 500 }
/** How often the memory is read while they are there. */
const SAMPLE_MS = 20
/** Garbage that is collected with a delay appears after the last byte too. */
const AFTER_MS = 5_000
const PATIENCE_MS = 300_000
const PING_BYTES = 60_000

function privateBytes(pid: number): number {
  const kilobytes = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+:\s+(\d+) kB$/gm)
  return [...kilobytes].reduce((sum, [, each]) => sum + Number(each), 0) * 1024
}

const missing =
  process.env['TEST_CROWDS'] === undefined
    ? 'takes minutes: npm run test:long -- crowds'
    : process.platform !== 'linux'
      ? 'needs /proc of Linux'
      : process.getuid?.() !== 0
        ? 'the daemon hides its memory from programs of the same user; needs root'
        : spawnSync('gcc', ['--version']).status === 0
          ? undefined
          : 'needs gcc'

describe.skipIf(missing !== undefined).each(TARGETS)(`crowds${missing === undefined ? '' : ` (${missing})`}: $name`, (target) => {
  let at: Folders
  let daemon: Daemon
  let honest: RawClient
  const crowd: ChildProcess[] = []

  beforeEach(async () => {
    at = await folders()
    daemon = await startDaemon(target, at, ['--log-level', 'warn'])
    honest = await RawClient.ready(daemon.socket, { client_id: '777000333', contract: '1.0', streams: true })
  })
  afterEach(async () => {
    for (const one of crowd.splice(0)) one.kill('SIGKILL')
    honest.hangUp()
    await daemon.stop()
    await at.remove()
  })

  const expectServed = async () => {
    expect(await honest.call('SET_ACTIVITY', { pid: 1, activity: { state: 'served' } })).toMatchObject({ evt: null })
  }
  /** Copies of a program: links would be one program. */
  const programs = (count: number): string[] => {
    const first = join(at.base, 'crowd')
    execFileSync('gcc', ['-O1', '-Wall', '-Werror', '-o', first, join(import.meta.dirname, 'support/crowd.c')])
    return Array.from({ length: count }, (_, index) => {
      copyFileSync(first, `${first}-${index}`)
      return `${first}-${index}`
    })
  }
  /** Resolves when the program gets no further. */
  const fill = async (program: string, connections: number, pingBytes: number): Promise<void> => {
    const child = spawn(program, [daemon.socket, String(connections), String(pingBytes)], {
      env: cleanEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    crowd.push(child)
    for await (const line of createInterface(child.stdout)) if (line === 'full') return
  }
  /** The most that `size` returns until the work is done, and for some time after. */
  const peakOf = async (size: () => number, work: Promise<unknown>): Promise<number> => {
    let peak = 0
    const look = setInterval(() => (peak = Math.max(peak, size())), SAMPLE_MS)
    await work
    await pause(AFTER_MS)
    clearInterval(look)
    return peak
  }
  const leave = async () => {
    const left = crowd.splice(0)
    for (const one of left) one.kill('SIGKILL')
    await Promise.all(left.map((one) => ended(one)))
  }

  test.each([
    { count: 1, connections: 3_000, most: OF_PROGRAM },
    { count: 10, connections: 1_000, most: OF_ALL },
    { count: 100, connections: 100, most: OF_ALL },
  ])(
    '$count programs with $connections connections each, idle or unread, stay below the bound while they flood, and their memory is given back',
    async ({ count, connections, most }) => {
      await expectServed()
      const { pid } = daemon.ready
      const rest = privateBytes(pid)
      const above = () => privateBytes(pid) - rest
      const all = programs(count)
      for (const pingBytes of [0, PING_BYTES]) {
        const peak = await peakOf(above, Promise.all(all.map((program) => fill(program, connections, pingBytes))))
        await expectServed()
        expect(peak).toBeLessThan(most)
        await leave()
        await expect.poll(above, GIVEN_BACK).toBeLessThan(SLACK)
        await expectServed()
      }
    },
    PATIENCE_MS,
  )
})
