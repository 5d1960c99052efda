import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { carryOut, textAt } from '#daemon/src/install/carry-out.ts'
import type { Step } from '#daemon/src/install/steps.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const outcomes = async (steps: readonly Step[], isRunning = false) =>
  (
    await carryOut(
      steps,
      async () => isRunning,
      () => {},
    )
  ).map(({ outcome }) => outcome)
const runs = (script: string): Step => ({ do: 'run', command: [process.execPath, '-e', script] })

test('writes with missing folders, and once', async () => {
  const path = join(folder, 'a/b/c')
  const steps: readonly Step[] = [{ do: 'write', path, text: 'one' }]
  expect(await outcomes(steps)).toEqual(['done'])
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(await outcomes(steps)).toEqual(['unchanged'])
  expect(await outcomes([{ do: 'write', path, text: 'two' }])).toEqual(['done'])
  expect(textAt(path)).toBe('two')
})

test('removes what is there', async () => {
  const path = join(folder, 'a/b')
  await outcomes([{ do: 'write', path, text: '' }])
  expect(
    await outcomes([
      { do: 'remove', path },
      { do: 'remove', path },
    ]),
  ).toEqual(['done', 'unchanged'])
})

test('of a folder, removes what is ours, and the folder only when it is empty', async () => {
  const data = join(folder, 'a')
  const whole: Step = { do: 'remove-folder', path: data }
  const put = (name: string) => outcomes([{ do: 'write', path: join(data, name), text: '' }])
  for (const name of ['format', 'grants.sqlite-wal', 'log/sallyport.log', 'vault/tokens.sealed', 'vault/keyring-0a1b.node']) await put(name)
  expect(await outcomes([whole, whole])).toEqual(['done', 'unchanged'])
  expect(existsSync(data)).toBe(false)

  for (const name of ['format', 'thesis.txt', 'formatted', 'photos/one.png', 'log/syslog', 'log/sallyport.log']) await put(name)
  const [mixed] = await carryOut(
    [whole],
    async () => false,
    () => {},
  )
  expect([mixed?.outcome, mixed?.reason]).toEqual(['failed', expect.stringContaining('files of others')])
  expect(readdirSync(data).toSorted()).toEqual(['formatted', 'log', 'photos', 'thesis.txt'])
  expect(readdirSync(join(data, 'log'))).toEqual(['syslog'])

  const [foreign] = await carryOut(
    [whole],
    async () => false,
    () => {},
  )
  expect([foreign?.outcome, foreign?.reason]).toEqual(['failed', expect.stringContaining('has no file of Sallyport')])
  expect(readdirSync(data)).toHaveLength(4)

  symlinkSync(data, join(folder, 'link'))
  expect(await outcomes([{ do: 'remove-folder', path: join(folder, 'link') }])).toEqual(['failed'])
})

test('a program that fails is named with what it printed, and the next step follows', async () => {
  const done = await carryOut(
    [runs('console.error("no bus"); process.exit(3)'), { ...runs('process.exit(1)'), mayFail: true } as Step, runs('')],
    async () => false,
    () => {},
  )
  expect(done.map(({ outcome }) => outcome)).toEqual(['failed', 'unchanged', 'done'])
  expect(done[0]?.reason).toBe('no bus')
})

test('a program that is not there has failed', async () => {
  expect(
    await outcomes([
      { do: 'run', command: [join(folder, 'absent')] },
      { do: 'start', command: [join(folder, 'absent')] },
    ]),
  ).toEqual(['failed', 'failed'])
})

test('a started program outlives the step', async () => {
  const file = join(folder, 'late')
  const script = `setTimeout(() => require('fs').writeFileSync(${JSON.stringify(file)}, 'here'), 50)`
  expect(await outcomes([{ do: 'start', command: [process.execPath, '-e', script] }])).toEqual(['done'])
  await expect.poll(() => textAt(file)).toBe('here')
})

test('stopping a bridge that does not run changes nothing', async () => {
  expect(await outcomes([{ do: 'stop-bridge' }])).toEqual(['unchanged'])
  expect(await outcomes([{ do: 'stop-bridge' }], true)).toEqual(['done'])
})
