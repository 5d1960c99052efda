/** Builds the executable of one target. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { baseNode, keyringLibrary, type Target, TARGETS } from './base-node.ts'
import { makeCodeCaches, wrapped } from './code-cache.ts'
import { preparedNode } from './prepared-node.ts'
import { LATER, PROGRAM, TRAY } from './program.ts'
import { buildSingleFile } from './single-file.ts'

export interface ExecutableRequest {
  readonly root: string
  readonly target: Target
  readonly output: string
  /** A folder for intermediate files. */
  readonly build: string
  readonly nodeVersion: string
  /** Of the program. */
  readonly version: string
  /** Code caches of the same program, to build the same file again: their path without `.program.cache`. Made anew without it. */
  readonly codeCache?: string | undefined
}

const HOST_PLATFORMS: Partial<Record<NodeJS.Platform, Target['platform']>> = { linux: 'linux', win32: 'win', darwin: 'macos' }

/** The target of this machine; undefined if there is none. */
export const hostTarget = (): Target | undefined =>
  TARGETS.find(({ platform, arch }) => platform === HOST_PLATFORMS[process.platform] && arch === process.arch)

/** Starts the new file to verify that it works, and that V8 takes its code cache; returns the milliseconds. */
async function measureFirstStart(executable: string): Promise<number> {
  const started = performance.now()
  const { stderr } = await promisify(execFile)(executable, ['version'], { timeout: 20_000, env: { ...process.env, NODE_OPTIONS: '' } })
  if (stderr !== '') throw new Error(`${executable} version printed: ${stderr.trim()}`)
  return Math.round(performance.now() - started)
}

/** Asset names of the program's files. */
const PARTS = { program: PROGRAM, later: join(dirname(PROGRAM), LATER), tray: join(dirname(PROGRAM), TRAY) }
/** The parts with a code cache: those of a start and of a connection. */
const CACHED = ['program', 'later'] as const

/** Writes the program's files as assets, in one byte a character. */
async function writeParts(build: string): Promise<void> {
  await mkdir(build, { recursive: true })
  for (const [name, file] of Object.entries(PARTS)) {
    await writeFile(join(build, `${name}.js`), wrapped(await readFile(file, 'utf8')), 'latin1')
  }
}

/** The code caches beside an executable. */
export const codeCachesOf = (output: string): readonly string[] => CACHED.map((name) => `${output}.${name}.cache`)

/** Resolves with the milliseconds of the first start, on the platform of this machine only. */
export async function buildExecutable(request: ExecutableRequest): Promise<number | undefined> {
  const { root, target, output, build, nodeVersion, version, codeCache } = request
  await writeParts(build)
  const checked = await baseNode(root, target, nodeVersion)
  const node = await preparedNode({ target, node: checked, folder: build, version })
  // The caches are bound to the platform and the Node that made them.
  const isHost = target === hostTarget()
  if (isHost && codeCache === undefined) await makeCodeCaches({ folder: build, node })
  else if (isHost && codeCache !== undefined)
    for (const name of CACHED) await copyFile(`${codeCache}.${name}.cache`, join(build, `${name}.cache`))
  const assetsOf = (names: readonly string[], extension: 'js' | 'cache') =>
    Object.fromEntries(names.map((name) => [`${name}.${extension}`, join(build, `${name}.${extension}`)]))
  const assets = {
    ...assetsOf(Object.keys(PARTS), 'js'),
    ...(isHost ? assetsOf(CACHED, 'cache') : {}),
    'keyring.node': await keyringLibrary(root, target),
  }
  await buildSingleFile({ output, target, node, nodeVersion, assets, build })
  if (!isHost) return undefined
  for (const name of CACHED) await copyFile(join(build, `${name}.cache`), `${output}.${name}.cache`)
  return measureFirstStart(output)
}
