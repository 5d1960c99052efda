/**
 * `npm run package [-- --target NAME]… [--entry FILE] [--out DIR]`: builds one executable per target (default: this machine's).
 * Prints a line of JSON per file made.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { baseNode, keyringLibrary, type Target, TARGETS } from './base-node.ts'
import { makeCodeCaches, wrapped } from './code-cache.ts'
import { bundleProgram, LATER, PROGRAM } from './program.ts'
import { buildSingleFile } from './single-file.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PKG_HOME = join(ROOT, '.cache', 'pkg-home')
const BUILD = join(ROOT, '.cache', 'package')
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

/** Starts the new file to verify that it works, and that V8 takes its code cache; returns the milliseconds. */
async function measureFirstStart(executable: string): Promise<number> {
  const started = performance.now()
  const { stderr } = await promisify(execFile)(executable, ['version'], { timeout: 20_000, env: { ...process.env, NODE_OPTIONS: '' } })
  if (stderr !== '') throw new Error(`${relative(ROOT, executable)} version printed: ${stderr.trim()}`)
  return Math.round(performance.now() - started)
}

/** Asset names of the program's files. */
const PARTS = { program: PROGRAM, later: join(dirname(PROGRAM), LATER) }

/** Writes the program's files as assets, in one byte a character. */
async function writeParts(): Promise<void> {
  await mkdir(BUILD, { recursive: true })
  for (const [name, file] of Object.entries(PARTS)) {
    await writeFile(join(BUILD, `${name}.js`), wrapped(await readFile(file, 'utf8')), 'latin1')
  }
}

/** Paths by asset name. */
const assetsOf = (extension: 'js' | 'cache'): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(PARTS).map((name) => [`${name}.${extension}`, join(BUILD, `${name}.${extension}`)]))

process.env['HOME'] = PKG_HOME
process.env['USERPROFILE'] = PKG_HOME
const host = hostTarget()
const targets = values.target?.map(targetNamed) ?? (host === undefined ? [] : [host])
if (targets.length === 0) throw new Error('no target matches this machine; set --target')

const bytes = await bundleProgram({ entry: resolve(values.entry) })
await writeParts()
for (const target of targets) {
  const started = performance.now()
  const output = join(resolve(values.out), `sallyport-${target.name}${target.extension}`)
  const node = await baseNode(ROOT, target, NODE_VERSION)
  // The caches are bound to the platform and the Node that made them.
  if (target === host) await makeCodeCaches({ folder: BUILD, node })
  const assets = {
    ...assetsOf('js'),
    ...(target === host ? assetsOf('cache') : {}),
    'keyring.node': await keyringLibrary(ROOT, target),
  }
  await buildSingleFile({ output, target, node, nodeVersion: NODE_VERSION, assets })
  const buildMs = Math.round(performance.now() - started)
  const startMs = target === host ? await measureFirstStart(output) : undefined
  console.log(JSON.stringify({ file: relative(ROOT, output), bytes: (await stat(output)).size, bundleBytes: bytes, buildMs, startMs }))
}
