import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import ffi from 'node:ffi'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import { openOuterNamespace } from '#daemon/src/identity/user-namespace.ts'
import { ended } from '#test/support/ended.ts'

const NEST = ['unshare', '--user', '--map-root-user', '--']
const missing =
  process.platform !== 'linux'
    ? 'needs Linux'
    : spawnSync('env', [...NEST, 'true']).status === 0
      ? undefined
      : 'needs user namespaces, and "unshare --user" makes none here'

describe.skipIf(missing !== undefined)(`the user namespace of a container${missing === undefined ? '' : ` (${missing})`}`, () => {
  const children: ChildProcess[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.stdin?.end()
      await ended(child)
    }
  })
  /** Starts a shell in as many nested namespaces, which starts another in as many more; resolves with the process ids of both. */
  async function start(depth: number, more: number): Promise<readonly number[]> {
    const nest = (times: number): readonly string[] => Array.from({ length: times }, () => NEST).flat()
    const inner = [...nest(more), 'sh', '-c', '"echo \\$\\$; cat"'].join(' ')
    const words = [...nest(depth), 'sh', '-c', `echo $$; ${inner}; true`]
    const child = spawn('env', words, { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    const pids: number[] = []
    for await (const line of createInterface(child.stdout)) if (pids.push(Number(line)) === 2) break
    return pids
  }
  const outer = openOuterNamespace(ffi)

  test('is the outermost one, also for what it nests inside', async () => {
    const [container = 0, nested = 0] = await start(1, 3)
    const number = /\d+/.exec(readlinkSync(`/proc/${container}/ns/user`))?.[0]
    expect(readlinkSync(`/proc/${nested}/ns/user`)).not.toContain(number)
    expect([outer(container), outer(nested)]).toEqual([number, number])
  })

  test('is another one for another container', async () => {
    const [[one = 0], [other = 0]] = [await start(1, 0), await start(2, 0)]
    expect(outer(one)).toBeDefined()
    expect(outer(other)).toBeDefined()
    expect(outer(one)).not.toBe(outer(other))
  })

  test('is none in our own, and for a process that has ended', async () => {
    const [native = 0] = await start(0, 0)
    expect([outer(native), outer(0x7fff_fff0)]).toEqual([undefined, undefined])
  })
})
