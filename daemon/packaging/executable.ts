/** Builds the executable of one target. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { baseNode, keyringLibrary, type Target, TARGETS } from './base-node.ts'
import { makeCodeCaches, wrapped } from './code-cache.ts'
import { PARTS } from './parts.ts'
import { preparedNode } from './prepared-node.ts'
import { PROGRAM } from './program.ts'
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
  /** Code caches of the same program, to build the same file again: their path without `.sallyport.cjs.cache`. Made anew without it. */
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

const FILES = PARTS.map(({ file }) => file)
const cacheOf = (file: string): string => `${file}.cache`

/** Writes the program's files as assets, in one byte a character, without the code caches of an earlier build. */
async function writeParts(build: string): Promise<void> {
  await mkdir(build, { recursive: true })
  for (const file of FILES) {
    await writeFile(join(build, file), wrapped(await readFile(join(dirname(PROGRAM), file), 'utf8')), 'latin1')
    await rm(join(build, cacheOf(file)), { force: true })
  }
}

/** The files that have a code cache: those that the run of the build read. */
const cached = (before: string): readonly string[] => FILES.filter((file) => existsSync(`${before}${cacheOf(file)}`))

/** The code caches beside an executable. */
export const codeCachesOf = (output: string): readonly string[] => cached(`${output}.`).map((file) => `${output}.${cacheOf(file)}`)

/** Copies the code caches between `FOLDER/` and `EXECUTABLE.`. */
async function copyCaches(from: string, to: string): Promise<void> {
  for (const file of FILES) await rm(`${to}${cacheOf(file)}`, { force: true })
  for (const file of cached(from)) await copyFile(`${from}${cacheOf(file)}`, `${to}${cacheOf(file)}`)
}

/** Resolves with the milliseconds of the first start, on the platform of this machine only. */
export async function buildExecutable(request: ExecutableRequest): Promise<number | undefined> {
  const { root, target, output, build, nodeVersion, version, codeCache } = request
  await writeParts(build)
  const checked = await baseNode(root, target, nodeVersion)
  const node = await preparedNode({ target, node: checked, folder: build, version })
  // The caches are bound to the platform and the Node that made them.
  const isHost = target === hostTarget()
  if (isHost && codeCache === undefined) await makeCodeCaches({ folder: build, node })
  else if (isHost && codeCache !== undefined) await copyCaches(`${codeCache}.`, `${build}/`)
  const caches = isHost ? cached(`${build}/`).map(cacheOf) : []
  const assets = {
    ...Object.fromEntries([...FILES, ...caches].map((name) => [name, join(build, name)])),
    'keyring.node': await keyringLibrary(root, target),
  }
  await buildSingleFile({ output, target, node, nodeVersion, assets, build })
  if (!isHost) return undefined
  await copyCaches(`${build}/`, `${output}.`)
  return measureFirstStart(output)
}
