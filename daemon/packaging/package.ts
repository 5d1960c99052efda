/**
 * `npm run package [-- --target NAME]… [--entry FILE] [--out DIR]`: builds one executable per target (default: this machine's).
 * Prints a line of JSON per file made.
 */
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { baseNode, keyringLibrary, type Target, TARGETS } from './base-node.ts'
import { bundleProgram, PROGRAM } from './program.ts'
import { buildSingleFile } from './single-file.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PKG_HOME = join(ROOT, '.cache', 'pkg-home')
const NODE_VERSION = process.versions.node

const hostTarget = (): Target | undefined => {
  const platform = { linux: 'linux', win32: 'win', darwin: 'macos' }[process.platform as 'linux' | 'win32' | 'darwin']
  return TARGETS.find((target) => target.platform === platform && target.arch === process.arch)
}

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    entry: { type: 'string', default: join(ROOT, 'daemon/src/main.ts') },
    out: { type: 'string', default: join(ROOT, 'daemon/dist/package') },
  },
})

const targetNamed = (name: string): Target => {
  const target = TARGETS.find((candidate) => candidate.name === name)
  if (target === undefined) throw new Error(`no target ${name}; there are ${TARGETS.map((candidate) => candidate.name).join(', ')}`)
  return target
}

/** Starts the new file to verify that it works; returns the milliseconds. */
async function measureFirstStart(executable: string): Promise<number> {
  const started = performance.now()
  await promisify(execFile)(executable, ['version'], { timeout: 20_000, env: { ...process.env, NODE_OPTIONS: '' } })
  return Math.round(performance.now() - started)
}

process.env['HOME'] = PKG_HOME
process.env['USERPROFILE'] = PKG_HOME
const host = hostTarget()
const targets = values.target?.map(targetNamed) ?? (host === undefined ? [] : [host])
if (targets.length === 0) throw new Error('no target matches this machine; set --target')

const bytes = await bundleProgram({ entry: resolve(values.entry) })
for (const target of targets) {
  const started = performance.now()
  const output = join(resolve(values.out), `sallyport-${target.name}${target.extension}`)
  const node = await baseNode(ROOT, target, NODE_VERSION)
  const assets = { 'keyring.node': await keyringLibrary(ROOT, target) }
  await buildSingleFile({ main: PROGRAM, output, target, node, nodeVersion: NODE_VERSION, assets, codeCache: target === host })
  const buildMs = Math.round(performance.now() - started)
  const startMs = target === host ? await measureFirstStart(output) : undefined
  console.log(JSON.stringify({ file: relative(ROOT, output), bytes: (await stat(output)).size, bundleBytes: bytes, buildMs, startMs }))
}
