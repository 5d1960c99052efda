import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundle } from '#daemon/packaging/bundle.ts'
import type { Parts } from '#daemon/packaging/parts.ts'

const require = createRequire(import.meta.url)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sp-'))
  mkdirSync(join(folder, 'src'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const PARTS: Parts = [
  { file: 'sallyport.cjs', entries: ['src/main.ts'] },
  { file: 'bridge.cjs', entries: ['src/bridge.ts'] },
  { file: 'rest.cjs' },
]

/** Bundles sources by their names, and returns what the program prints. */
async function run(sources: Readonly<Record<string, string>>, parts = PARTS): Promise<unknown> {
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, 'src', name), text)
  const made = join(folder, 'made')
  await bundle({ entry: join(folder, 'src/main.ts'), folder: made, target: 'node26', parts })
  return JSON.parse(execFileSync(process.execPath, [join(made, 'sallyport.cjs')], { encoding: 'utf8' }))
}

test('a module exists once, whichever parts use it, and runs when it is first used', async () => {
  const printed = await run({
    'main.ts': `
      import { Failure, ran } from './failure.ts'
      const early = [...ran]
      void Promise.all([import('./bridge.ts'), import('./status.ts')]).then((both) => {
        const isOne = both.map(({ failure }) => failure() instanceof Failure)
        console.log(JSON.stringify({ early, isOne, ran }))
      })`,
    'failure.ts': `export const ran: string[] = []; export class Failure extends Error {}`,
    'bridge.ts': `import { Failure, ran as list } from './failure.ts'; list.push('bridge'); export const failure = () => new Failure()`,
    'status.ts': `import { Failure, ran } from './failure.ts'; ran.push('status'); export const failure = () => new Failure()`,
  })
  expect(printed).toEqual({ early: [], isOne: [true, true], ran: ['bridge', 'status'] })
})

test('builtins, default exports, renamed exports and CommonJS modules keep their shapes', async () => {
  const printed = await run({
    'main.ts': `
      void Promise.all([import('./bridge.ts'), import('./plain.cjs'), import('node:os')]).then(([bridge, plain, os]) => {
        console.log(JSON.stringify([bridge.default, bridge.other, plain.default.value, typeof os.EOL, bridge.joined, bridge.file]))
      })`,
    'bridge.ts': `
      import { join as joinPath } from 'node:path'
      import fs from 'node:fs'
      const inner = 2
      export { inner as other }
      export const joined = joinPath('a', 'b'), file = typeof fs.readFileSync
      export default 1`,
    'plain.cjs': `module.exports = { value: 3 }`,
  })
  expect(printed).toEqual([1, 2, 3, 'string', join('a', 'b'), 'function'])
})

test('pino does not ask V8 for its callers, for which V8 would count the lines of every file on the stack', async () => {
  const printed = await run({
    'main.ts': `
      import util from 'node:util'
      let asked = 0
      util.getCallSites = () => { asked++; return [] }
      void import('./bridge.ts').then(({ line }) => console.log(JSON.stringify({ asked, line })))`,
    'bridge.ts': `
      import { pino } from ${JSON.stringify(require.resolve('pino'))}
      let written
      pino({ base: null, timestamp: false }, { write: (text) => { written = text } }).info('ready')
      export const line = JSON.parse(written)`,
  })
  expect(printed).toEqual({ asked: 0, line: { level: 30, msg: 'ready' } })
})

test('modules of Node that are late load at the first call, and behave as they are', async () => {
  const printed = await run({
    'main.ts': `
      import { promisify } from 'node:util'
      import { constants, createHash, generateKeyPair, KeyObject, X509Certificate } from 'node:crypto'
      import tls from 'node:tls'
      const isLoaded = () => ['crypto', 'tls'].map((name) => process.moduleLoadList.includes('NativeModule ' + name))
      const before = isLoaded()
      const hash = createHash('sha256').update('x').digest('hex').slice(0, 8)
      const after = isLoaded()
      let refused
      try { new X509Certificate('none') } catch (failure) { refused = failure instanceof Error }
      void import('./bridge.ts').then(async () => {
        const { publicKey } = await promisify(generateKeyPair)('ed25519')
        console.log(JSON.stringify({
          before, hash, after, refused, isKey: publicKey instanceof KeyObject, padding: constants.RSA_PKCS1_PADDING, version: tls.DEFAULT_MAX_VERSION,
        }))
      })`,
    'bridge.ts': 'export {}',
  })
  expect(printed).toEqual({
    before: [false, false],
    hash: '2d711642',
    after: [true, false],
    refused: true,
    isKey: true,
    padding: 1,
    version: 'TLSv1.3',
  })
})

test('a CommonJS module that requires an ES module fails, because it would run too late', async () => {
  const made = run({
    'main.ts': `import './plain.cjs'; void import('./bridge.ts')`,
    'plain.cjs': `const { value } = require('./late.ts'); console.log(value)`,
    'late.ts': `export const value = 1`,
    'bridge.ts': `export {}`,
  })
  await expect(made).rejects.toThrow('import it instead')
})

test('a character that takes two bytes fails', async () => {
  const licence = '/*! \u2026 */'
  await expect(run({ 'main.ts': `${licence} void import('./bridge.ts')`, 'bridge.ts': `export {}` })).rejects.toThrow('escape it')
})

test('a file keeps its time until its text changes', async () => {
  const sources = { 'main.ts': `void import('./bridge.ts')`, 'bridge.ts': `console.log(1)` }
  const file = join(folder, 'made/bridge.cjs')
  await run(sources)
  utimesSync(file, 1, 1)
  await run(sources)
  expect(statSync(file).mtimeMs).toBe(1000)
  await run({ ...sources, 'bridge.ts': `console.log(2)` })
  expect(statSync(file).mtimeMs).toBeGreaterThan(1000)
})
