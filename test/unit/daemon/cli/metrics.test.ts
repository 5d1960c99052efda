import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BridgeMetrics } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { metrics } from '#daemon/src/cli/metrics.ts'
import { fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

const FOUND: BridgeMetrics = { metrics: [{ name: 'sallyport_games', type: 'gauge', help: 'Games.', series: [{ labels: {}, value: 2 }] }] }
const TEXT = '# HELP sallyport_games Games.\n# TYPE sallyport_games gauge\nsallyport_games 2\n'

let directory: string
let close: (() => Promise<void>) | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-metrics-'))
})
afterEach(async () => {
  await close?.()
  close = undefined
  rmSync(directory, { recursive: true })
})

async function line(words: readonly string[], runs = true) {
  const bridge = runs ? await fakeBridge(directory, { GET_BRIDGE_METRICS: { data: FOUND } }) : undefined
  close = bridge?.close.bind(bridge)
  const io = fakeIo()
  const exitCode = await runCli(
    ['metrics', ...words, '--data-dir', join(directory, 'data'), '--runtime-dir', directory],
    io,
    tableOf(metrics),
  )
  return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n'), asked: bridge?.asked ?? [] }
}

test('prints the text, with the proof of an operator', async () => {
  const { exitCode, printed, asked } = await line([])
  expect({ exitCode, printed: `${printed}\n` }).toEqual({ exitCode: EXIT.ok, printed: TEXT })
  expect(asked).toMatchObject([{ cmd: 'GET_BRIDGE_METRICS', args: { operator_proof: expect.stringMatching(/^[0-9a-f]{32}$/) } }])
})

test('prints the metrics as JSON', async () => {
  expect(JSON.parse((await line(['--json'])).printed)).toEqual(FOUND)
})

describe('--textfile', () => {
  const file = () => join(directory, 'games.prom')

  test('replaces the file as a whole, so that its readers see the old one or the new one', async () => {
    writeFileSync(file(), 'old\n')
    const before = statSync(file()).ino
    const { exitCode, printed } = await line(['--textfile', file(), '--label', 'user=alice', '--label', 'seat=a b,room=7'])
    expect({ exitCode, printed }).toEqual({ exitCode: EXIT.ok, printed: '' })
    expect(readFileSync(file(), 'utf8')).toBe(TEXT.replace('sallyport_games 2', 'sallyport_games{user="alice",seat="a b",room="7"} 2'))
    expect(statSync(file()).ino).not.toBe(before)
    expect(readdirSync(directory).filter((name) => name.includes('games.prom'))).toEqual(['games.prom'])
  })
  test.skipIf(process.platform === 'win32')('can be read by the collector, which is another user', async () => {
    writeFileSync(file(), 'old\n', { mode: 0o600 })
    await line(['--textfile', file()])
    expect(statSync(file()).mode & 0o777).toBe(0o644)
  })
  test('says that no bridge runs, instead of the values of the last run', async () => {
    writeFileSync(file(), TEXT)
    const { exitCode, said } = await line(['--textfile', file(), '--label', 'user=alice'], false)
    expect(exitCode).toBe(EXIT.noDaemon)
    expect(said).toContain('sallyport run')
    expect(readFileSync(file(), 'utf8').split('\n').slice(1)).toEqual(['# TYPE sallyport_up gauge', 'sallyport_up{user="alice"} 0', ''])
  })
  test('in a folder that does not exist fails with a sentence', async () => {
    const { exitCode, said } = await line(['--textfile', join(directory, 'none', 'x.prom')])
    expect(exitCode).toBe(EXIT.failed)
    expect(said).toContain('Name a file in a folder that you can write to.')
  })
})

test.each(['user', 'user=', '=alice', '1a=x', '__name=x', 'a-b=x', 'state=x', 'le=x', 'quantile=x'])(
  'refuses the label %s',
  async (label) => {
    const { exitCode, said, asked } = await line(['--label', label])
    expect(exitCode).toBe(EXIT.usage)
    expect(said).toContain('label')
    expect(asked).toEqual([])
  },
)
