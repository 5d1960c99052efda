/** No schema is made before it is used: not by loading the tables, and not by a daemon that no game has called yet. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../architecture/source-tree.ts'

/** zod calls this hook with each instance that it has made. The program ends when it prints its ready line, and says how many there were. */
const COUNTER = `
let made = 0
globalThis.__zod_globalConfig = { postProcessor: () => (made += 1) }
globalThis.ended = () => { process.stderr.write(\`made \${made}\\n\`); process.exit() }
const { stdout } = process
const write = stdout.write.bind(stdout)
stdout.write = (text, ...more) => (String(text).includes('"event":"ready"') ? ended() : write(text, ...more))
`

/** Runs a program with the sources of this repository, and returns what it says last. */
async function lastLineOf(args: readonly string[]): Promise<string | undefined> {
  const counter = `data:text/javascript,${encodeURIComponent(COUNTER)}`
  const child = spawn(process.execPath, ['--conditions=sallyport-source', '--import', counter, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: tmpdir() },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  await once(child, 'close')
  return said.trim().split('\n').at(-1)
}

const evaluated = (code: string) => lastLineOf(['--input-type=module', '--eval', code])

describe('zod instances', () => {
  test('none after loading the tables', async () => {
    expect(await evaluated(`await import('@sallyport/protocol'); ended()`)).toBe('made 0')
  })

  test('are counted when there are some', async () => {
    expect(await evaluated(`const { User } = await import('@sallyport/protocol'); User(); ended()`)).toMatch(/^made [1-9]/)
  })

  test.each(['sandbox', 'discord'])('none when a daemon for %s is ready', async (platform) => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-test-'))
    const options = { platform, 'runtime-dir': folder, 'data-dir': join(folder, 'data'), vault: 'file', 'dashboard-port': 'off' }
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    try {
      expect(await lastLineOf(['daemon/src/main.ts', 'run', '--json', ...flags])).toBe('made 0')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
