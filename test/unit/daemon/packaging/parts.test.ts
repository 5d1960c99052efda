import { basename } from 'node:path'
import type { Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { PARTS, partOfEach } from '#daemon/packaging/parts.ts'

type Output = Metafile['outputs'][string]

const LARGE = 100_000
const SMALL = 1_000

const output = (entryPoint: string | undefined, bytes: number, ...imports: readonly string[]): Output => ({
  bytes,
  inputs: {},
  exports: [],
  imports: imports.map((path) => ({ path, kind: 'import-statement' })),
  ...(entryPoint === undefined ? {} : { entryPoint }),
})

const MAIN = { 'out/main.js': output('../daemon/src/main.ts', LARGE) }
const LOG = {
  'out/log.js': output('daemon/src/cli/daemon-logger.ts', LARGE),
  'out/first-slot.js': output('daemon/src/ipc/transport/first-slot.ts', LARGE),
}
const PAGE = {
  'out/html.js': output('daemon/src/operator/dashboard/html.ts', LARGE),
  'out/protocol-text.js': output('daemon/src/operator/dashboard/protocol-text.ts', LARGE),
}
const OTLP = { 'out/otlp.js': output('daemon/src/operator/otlp/start.ts', LARGE) }
const BRIDGE = { 'out/bridge.js': output('daemon/src/app/bridge.ts', LARGE) }
const ONLINE = Object.fromEntries(
  (PARTS.find(({ file }) => file === 'sallyport-online.cjs')?.entries ?? []).map((entry, at) => [
    `out/online-${at}.js`,
    output(entry, LARGE),
  ]),
)

const metafile = (more: Readonly<Record<string, Output>> = {}): Metafile => ({
  inputs: {},
  outputs: { ...MAIN, ...LOG, ...PAGE, ...OTLP, ...BRIDGE, ...ONLINE, ...more },
})

const fileIn = (file: Metafile, chunk: string) => partOfEach(file).get(chunk)?.file

test('an entry belongs to its part', () => {
  expect(fileIn(metafile(), 'bridge.js')).toBe('sallyport-bridge.cjs')
  expect(fileIn(metafile(), 'main.js')).toBe(PARTS[0].file)
})

test('the SDK of OpenTelemetry is in its own part, but for what the bridge needs too', () => {
  const outputs = {
    'out/otlp.js': output('daemon/src/operator/otlp/start.ts', LARGE, 'out/sdk.js', 'out/a.js'),
    'out/bridge.js': output('daemon/src/app/bridge.ts', LARGE, 'out/a.js'),
    'out/sdk.js': output(undefined, LARGE),
    'out/a.js': output(undefined, LARGE),
  }
  expect(['otlp.js', 'sdk.js', 'a.js'].map((chunk) => fileIn(metafile(outputs), chunk))).toEqual([
    'sallyport-otlp.cjs',
    'sallyport-otlp.cjs',
    'sallyport-bridge.cjs',
  ])
})

test('all entries of a part belong to it', () => {
  expect([...new Set(Object.keys(ONLINE).map((path) => fileIn(metafile(), basename(path))))]).toEqual(['sallyport-online.cjs'])
})

test('what several parts need belongs to the first of them, also through other chunks', () => {
  const outputs = {
    'out/bridge.js': output('daemon/src/app/bridge.ts', LARGE, 'out/a.js'),
    'out/sandbox.js': output('daemon/sandbox/src/sandbox.ts', LARGE, 'out/a.js', 'out/c.js'),
    'out/a.js': output(undefined, LARGE, 'out/b.js'),
    'out/b.js': output(undefined, LARGE),
    'out/c.js': output(undefined, LARGE),
  }
  expect(['a.js', 'b.js', 'c.js'].map((chunk) => fileIn(metafile(outputs), chunk))).toEqual([
    'sallyport-bridge.cjs',
    'sallyport-bridge.cjs',
    'sallyport-rest.cjs',
  ])
})

describe('a small chunk', () => {
  const SHARED = 'sallyport-shared.cjs'
  const STATUS = output('daemon/src/cli/status.ts', SMALL, 'out/shared.js')

  test('that several parts after the one for shared chunks need belongs to that, so that neither the start nor a command reads more', () => {
    const outputs = {
      'out/bridge.js': output('daemon/src/app/bridge.ts', LARGE, 'out/shared.js', 'out/own.js'),
      'out/status.js': STATUS,
      'out/shared.js': output(undefined, SMALL),
      'out/own.js': output(undefined, SMALL),
    }
    expect(fileIn(metafile(outputs), 'shared.js')).toBe(SHARED)
    expect(fileIn(metafile(outputs), 'own.js')).toBe('sallyport-bridge.cjs')
  })

  test.each([
    ['start', 'out/main.js', output('../daemon/src/main.ts', LARGE, 'out/shared.js'), PARTS[0].file],
    ['log', 'out/log.js', output('daemon/src/cli/daemon-logger.ts', LARGE, 'out/shared.js'), 'sallyport-log.cjs'],
  ])('that the %s needs belongs to it, also when others need it', (_part, path, chunk, file) => {
    const bridge = output('daemon/src/app/bridge.ts', LARGE, 'out/shared.js')
    const outputs = { [path]: chunk, 'out/bridge.js': bridge, 'out/status.js': STATUS, 'out/shared.js': output(undefined, SMALL) }
    expect(fileIn(metafile(outputs), 'shared.js')).toBe(file)
  })

  test('is not shared when it is large', () => {
    const bridge = output('daemon/src/app/bridge.ts', LARGE, 'out/shared.js')
    const outputs = { 'out/bridge.js': bridge, 'out/status.js': STATUS, 'out/shared.js': output(undefined, LARGE) }
    expect(fileIn(metafile(outputs), 'shared.js')).toBe('sallyport-bridge.cjs')
  })
})

test('what no entry needs belongs to the last part', () => {
  expect(fileIn(metafile({ 'out/status.js': output('daemon/src/cli/status.ts', SMALL) }), 'status.js')).toBe('sallyport-rest.cjs')
})

test('an entry that the program does not load fails', () => {
  expect(() => partOfEach({ inputs: {}, outputs: { ...MAIN, ...LOG, ...PAGE, ...OTLP, ...ONLINE } })).toThrow(
    'the entry of sallyport-bridge.cjs is daemon/src/app/bridge.ts',
  )
})
