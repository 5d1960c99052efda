/**
 * `npm run package [-- --all | --target NAME…] [--installers] [--entry FILE] [--out DIR] [--code-cache EXECUTABLE]`: builds one executable per
 * target (default: this machine's; `--all`: every one, with installers, the list of parts and the checksums). Prints a line of JSON per file.
 */
import { rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { VERSION } from '../core/src/version.ts'
import { type Target, TARGETS } from './base-node.ts'
import { buildExecutable, codeCachesOf, hostTarget } from './executable.ts'
import { makeInstallers, sourceTime } from './installers/installers.ts'
import { missingPackages } from './installers/tools.ts'
import { readNodeList, sha256Of } from './node-list.ts'
import { noticesFor } from './notices/collect.ts'
import { type Notice, NOTICES_FILE, noticesText } from './notices/notice.ts'
import { bundleProgram } from './program.ts'
import { WINE_BRIDGE } from '../src/install/wine.ts'
import { npmSbom, sbomOf } from './sbom.ts'
import { buildWineBridge, WINE_BRIDGE_TOOL } from './wine-bridge.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PKG_HOME = join(ROOT, '.cache', 'pkg-home')
const BUILD = join(ROOT, '.cache', 'package')

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    installers: { type: 'boolean', default: false },
    target: { type: 'string', multiple: true },
    entry: { type: 'string', default: join(ROOT, 'daemon/src/main.ts') },
    out: { type: 'string', default: join(ROOT, 'daemon/dist/package') },
    'code-cache': { type: 'string' },
  },
})

const targetNamed = (name: string): Target => {
  const target = TARGETS.find((candidate) => candidate.name === name)
  if (target === undefined) throw new Error(`no target ${name}; there are ${TARGETS.map((candidate) => candidate.name).join(', ')}`)
  return target
}

function chosenTargets(): readonly Target[] {
  if (values.all) return TARGETS
  const host = hostTarget()
  return values.target?.map(targetNamed) ?? (host === undefined ? [] : [host])
}

const print = (line: object): void => console.log(JSON.stringify(line))
const shown = (file: string): string => relative(ROOT, file)

/** A part of the Linux packages, which are made without it where its compiler is missing. */
async function madeWineBridge(): Promise<string | undefined> {
  const [missing] = await missingPackages([WINE_BRIDGE_TOOL])
  if (missing !== undefined) {
    print({ part: WINE_BRIDGE, skipped: `install ${missing}` })
    process.exitCode = 1
    return undefined
  }
  const output = join(BUILD, WINE_BRIDGE)
  await buildWineBridge(output, await sourceTime(ROOT))
  return output
}

/** pkg uses the cache and the temporary folder of its user. */
process.env['HOME'] = PKG_HOME
process.env['USERPROFILE'] = PKG_HOME

const targets = chosenTargets()
if (targets.length === 0) throw new Error('no target matches this machine; set --target')
const out = resolve(values.out)
const { bytes: bundleBytes, packages } = await bundleProgram({ entry: resolve(values.entry) })
const noticesOf = (target: Target): Promise<readonly Notice[]> =>
  noticesFor({ root: ROOT, target, nodeVersion: process.versions.node, packages })
const files: string[] = []
const executables = new Map<Target, string>()

for (const target of targets) {
  const started = performance.now()
  const output = join(out, `sallyport-${target.name}${target.extension}`)
  const startMs = await buildExecutable({
    root: ROOT,
    target,
    output,
    build: BUILD,
    nodeVersion: process.versions.node,
    version: VERSION,
    codeCache: values['code-cache'],
  })
  executables.set(target, output)
  const notices = join(out, `sallyport-${target.name}.${NOTICES_FILE}`)
  await writeFile(notices, noticesText(await noticesOf(target)))
  files.push(output, notices, ...(target === hostTarget() ? codeCachesOf(output) : []))
  const buildMs = Math.round(performance.now() - started)
  print({ file: shown(output), bytes: (await stat(output)).size, bundleBytes, buildMs, startMs })
}

if (values.all) {
  const sbom = join(out, 'sallyport.cdx.json')
  await writeFile(sbom, `${JSON.stringify(sbomOf(await npmSbom(ROOT), await readNodeList(), VERSION), undefined, 2)}\n`)
  files.push(sbom)
  print({ file: shown(sbom), bytes: (await stat(sbom)).size })
}

if (values.all || values.installers) {
  const wineBridge = await madeWineBridge()
  const made = makeInstallers({ root: ROOT, version: VERSION, out, build: BUILD, executables, noticesFor: noticesOf, wineBridge })
  for await (const { name, file, ms, missing } of made) {
    if (file === undefined) {
      print({ installer: name, skipped: `install ${missing}` })
      process.exitCode = 1
      continue
    }
    files.push(file)
    print({ file: shown(file), bytes: (await stat(file)).size, buildMs: ms })
  }
}

const sums = join(out, 'SHA256SUMS')
if (values.all) {
  const lines = await Promise.all(files.map(async (file) => `${await sha256Of(file)}  ${basename(file)}\n`))
  await writeFile(sums, lines.join(''))
  print({ file: shown(sums), bytes: (await stat(sums)).size })
} else {
  // Those of an earlier run would be wrong for the new file.
  await rm(sums, { force: true })
}
