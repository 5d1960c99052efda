/** `sallyport logs`: the last lines, the level, JSON, and what is added, also after the file was replaced. */
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { logs } from '#daemon/src/cli/logs.ts'
import { SOON } from '#test/support/soon.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

let data: string
let file: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'sp-'))
  mkdirSync(join(data, 'log'), { mode: 0o700 })
  file = join(data, 'log', 'sallyport.log')
})
afterEach(() => rmSync(data, { recursive: true }))

const line = (level: string, event: string, fields: object = {}): string =>
  `${JSON.stringify({ level, time: '2026-11-23T04:30:05.123Z', event, ...fields })}\n`
const write = (path: string, ...lines: readonly string[]) => writeFileSync(path, lines.join(''), { mode: 0o600 })

function run(words: readonly string[], hasColours = false) {
  const io = { ...fakeIo(), colours: { out: hasColours, info: false } }
  return { io, ended: runCli(['logs', '--data-dir', data, ...words], io, tableOf(logs)) }
}

test('prints both files in order, with fields, an error with its stack, and no control characters', async () => {
  write(`${file}.1`, line('info', 'old'))
  write(
    file,
    line('warn', 'session-closed', { session: 4, reason: 'bad \u202e frame' }),
    line('error', 'failed', { err: { type: 'Error', message: 'lost', stack: 'Error: lost\n    at here' } }),
    'not of the daemon \u001b[31m\n',
  )
  const { io, ended } = run([])
  expect(await ended).toBe(EXIT.ok)
  expect(io.printed).toEqual([
    '2026-11-23 04:30:05.123 info  old',
    String.raw`2026-11-23 04:30:05.123 warn  session-closed session=4 reason="bad \u{202e} frame"`,
    '2026-11-23 04:30:05.123 error failed\n    Error: lost\n    at here',
    String.raw`not of the daemon \u{1b}[31m`,
  ])
})

test('--level, --lines and --json select and keep lines', async () => {
  const lines = [line('info', 'a'), line('warn', 'b'), line('debug', 'c'), line('error', 'd')]
  write(file, ...lines)
  expect((await done(['--level', 'warn', '--json'])).printed).toEqual([lines[1]?.trim(), lines[3]?.trim()])
  expect((await done(['--lines', '1'])).printed).toEqual(['2026-11-23 04:30:05.123 error d'])
  expect((await done(['--lines', '0'])).printed).toEqual([])
  expect((await done(['--level', 'loud'])).said.join()).toContain('--level does not accept "loud"')
})
async function done(words: readonly string[]) {
  const { io, ended } = run(words)
  await ended
  return io
}

test('the level has a colour where colours are shown', async () => {
  write(file, line('warn', 'b'))
  const { io, ended } = run([], true)
  await ended
  expect(io.printed).toEqual(['\u001b[33m2026-11-23 04:30:05.123 warn \u001b[39m b'])
})

test('says where the log will be when there is none', async () => {
  const { said, printed } = await done([])
  expect(printed).toEqual([])
  expect(said).toEqual([`There is nothing in ${file} yet. The bridge writes it when the first game connects.`])
})

test('refuses a log that other users can read', async () => {
  writeFileSync(file, line('info', 'a'))
  chmodSync(file, 0o644)
  const { io, ended } = run([])
  expect(await ended).toBe(EXIT.failed)
  expect(io.said.join()).toContain('Other users can access')
})

test('--follow prints what is added, whole lines only, and goes on in the next file', async () => {
  write(file, line('info', 'before'))
  const { io, ended } = run(['--follow', '--lines', '0'])
  const events = () => io.printed.map((text) => text.split(' ').at(-1))
  // The watcher is there when the first line arrives; until then the test writes.
  await expect
    .poll(() => {
      appendFileSync(file, line('info', 'first'))
      return events().length
    }, SOON)
    .toBeGreaterThan(0)
  const [half, rest] = [line('info', 'second').slice(0, 20), line('info', 'second').slice(20)]
  appendFileSync(file, half)
  appendFileSync(file, rest)
  await expect.poll(events, SOON).toContain('second')
  renameSync(file, `${file}.1`)
  write(file, line('info', 'third'))
  await expect.poll(events, SOON).toContain('third')
  expect(events().filter((event) => event !== 'first')).toEqual(['second', 'third'])
  io.stop('SIGINT')
  expect(await ended).toBe(EXIT.ok)
})
