import type { Metafile } from 'esbuild'
import { expect, test } from 'vitest'
import { PARTS, partOfEach } from '#daemon/packaging/parts.ts'

type Output = Metafile['outputs'][string]

const output = (entryPoint: string | undefined, ...imports: readonly string[]): Output => ({
  bytes: 1,
  inputs: {},
  exports: [],
  imports: imports.map((path) => ({ path, kind: 'import-statement' })),
  ...(entryPoint === undefined ? {} : { entryPoint }),
})

/** One output per entry of the table, with these besides. */
const metafile = (more: Readonly<Record<string, Output>> = {}): Metafile => ({
  inputs: {},
  outputs: {
    ...Object.fromEntries(
      PARTS.flatMap(({ entries }) => entries.map((entry) => [`out/${entry.replaceAll('/', '_')}`, output(`../${entry}`)])),
    ),
    ...more,
  },
})

const nameIn = (file: Metafile, path: string) => partOfEach(file).get(path)?.name

test('an entry belongs to its part', () => {
  expect(nameIn(metafile(), 'daemon_src_app_bridge.ts')).toBe('bridge')
  expect(nameIn(metafile(), 'daemon_src_main.ts')).toBe('start')
})

test('what several parts need belongs to the first of them, also through other chunks', () => {
  const shared = {
    'out/daemon_src_app_bridge.ts': output('daemon/src/app/bridge.ts', 'out/a.js'),
    'out/daemon_sandbox_src_sandbox.ts': output('daemon/sandbox/src/sandbox.ts', 'out/a.js', 'out/c.js'),
    'out/a.js': output(undefined, 'out/b.js'),
    'out/b.js': output(undefined),
    'out/c.js': output(undefined),
  }
  expect(['a.js', 'b.js', 'c.js'].map((name) => nameIn(metafile(shared), name))).toEqual(['bridge', 'bridge', 'sandbox'])
})

test('what no entry needs belongs to the last part', () => {
  expect(nameIn(metafile({ 'out/status.js': output('daemon/src/cli/status.ts') }), 'status.js')).toBe('commands')
})

test('a module of a chunk can be an entry too', () => {
  const shared = { ...output(undefined), inputs: { 'daemon/core/src/display-text.ts': { bytesInOutput: 1 } } }
  expect(nameIn(metafile({ 'out/chunk.js': shared }), 'chunk.js')).toBe('shared')
})

test('an entry that nothing imports fails', () => {
  const { inputs, outputs } = metafile()
  const { 'out/daemon_src_app_bridge.ts': _removed, ...rest } = outputs
  expect(() => partOfEach({ inputs, outputs: rest })).toThrow('the part "bridge" has daemon/src/app/bridge.ts')
})
