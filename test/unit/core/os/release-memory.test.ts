import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanMappings } from '@sallyport/core/os/release-memory'

const mapping = (range: string, rights: string, path: string, anonymous: number): string =>
  [
    `${range} ${rights} 00000000 08:01 42                 ${path}`,
    'Size:                 64 kB',
    `Anonymous:           ${anonymous} kB`,
  ].join('\n')

test('only read-only mappings of the file without private pages are clean', () => {
  const smaps = [
    mapping('400000-500000', 'r--p', '/opt/program', 0),
    mapping('500000-900000', 'r-xp', '/opt/program', 0),
    mapping('900000-910000', 'r--p', '/opt/program', 16),
    mapping('910000-920000', 'rw-p', '/opt/program', 0),
    mapping('7f0000000000-7f0000001000', 'r-xp', '/usr/lib/libc.so.6', 0),
    mapping('7f0000001000-7f0000002000', 'r-xp', '/opt/program (deleted)', 0),
  ].join('\n')
  expect(cleanMappings(smaps, '/opt/program')).toEqual([
    { start: 0x400000n, end: 0x500000n },
    { start: 0x500000n, end: 0x900000n },
  ])
})

const module = join(import.meta.dirname, '../../../../daemon/core/src/os/release-memory.ts')

// A game may connect in the same second, and the bridge is then read from V8's code cache.
test('V8 takes compiled code right after the collection as before', () => {
  const script = `
    import { cachedDataVersionTag } from 'node:v8'
    const { releaseMemory } = await import(${JSON.stringify(module)})
    const before = cachedDataVersionTag()
    void releaseMemory({ after: () => {} })
    console.log(cachedDataVersionTag() === before)`
  const flags = ['--conditions=sallyport-source', '--no-warnings', '--input-type=module']
  expect(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' }).trim()).toBe('true')
})

test.skipIf(process.platform !== 'linux')('a process that releases its memory has less of it, and goes on', () => {
  const script = `
    import { readFileSync } from 'node:fs'
    import { systemClock } from '@sallyport/core/clock'
    const { releaseMemory } = await import(${JSON.stringify(module)})
    const alive = setInterval(() => {}, 1000)
    const rssKb = () => Number(/^VmRSS:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    let garbage = Array.from({ length: 200_000 }, (_, index) => ({ index, text: 'x'.repeat(index % 50) }))
    const before = rssKb()
    garbage = undefined
    await releaseMemory({ ...systemClock, after: (_, task) => systemClock.after(0, task) })
    const after = rssKb()
    console.log(JSON.stringify({ before, after, sum: [1, 2, 3].reduce((sum, one) => sum + one) }))
    clearInterval(alive)`
  const flags = ['--conditions=sallyport-source', '--no-warnings', '--input-type=module']
  const { before, after, sum } = JSON.parse(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })) as {
    readonly before: number
    readonly after: number
    readonly sum: number
  }
  expect(sum).toBe(6)
  // Half of it is the text of Node alone.
  expect(after).toBeLessThan(before * 0.7)
})

test.skipIf(process.platform !== 'linux')('a relief returns the buffers that were dropped, at once', () => {
  const script = `
    import { readFileSync } from 'node:fs'
    const { relieveMemory } = await import(${JSON.stringify(module)})
    const rssKb = () => Number(/^VmRSS:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    let buffers = Array.from({ length: 4000 }, () => Buffer.alloc(20_000, 1))
    // Between the others, so that the C library can not give back the end of its heap only.
    const kept = buffers.filter((_, index) => index % 50 === 0)
    const before = rssKb()
    buffers = undefined
    relieveMemory()
    console.log(JSON.stringify({ freed: before - rssKb(), kept: kept.length }))`
  const flags = ['--conditions=sallyport-source', '--no-warnings', '--input-type=module']
  const printed = JSON.parse(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })) as { readonly freed: number }
  // Of the 80 MB that they had, nearly all.
  expect(printed.freed).toBeGreaterThan(65_000)
})
