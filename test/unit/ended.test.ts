/** Tests the end of a program: all its output is there by then. */
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { ended } from '../support/ended.ts'

const LENGTH = 60_000

test('resolves after its last output is read, and resolves again for a later caller', async () => {
  const words = `require('node:fs').writeSync(1, 'x'.repeat(${LENGTH})); process.exit(3)`
  const child = spawn(process.execPath, ['-e', words], { stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = 0
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.length))
  expect(await ended(child)).toBe(3)
  expect(printed).toBe(LENGTH)
  expect(await ended(child)).toBe(3)
})

test('one that is killed has no code', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.kill('SIGKILL')
  expect(await ended(child)).toBeNull()
})
