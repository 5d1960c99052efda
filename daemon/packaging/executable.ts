/** Builds the executable of one target. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { baseNode, keyringLibrary, type Target, TARGETS } from './base-node.ts'
import { makeCodeCache, wrapped } from './code-cache.ts'
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
  /** A code cache of the same program, to build the same file again; made anew without it. */
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

/** Resolves with the milliseconds of the first start, on the platform of this machine only. */
export async function buildExecutable(request: ExecutableRequest): Promise<number | undefined> {
  const { root, target, output, build, nodeVersion, version, codeCache } = request
  await mkdir(build, { recursive: true })
  const program = join(build, 'program.js')
  await writeFile(program, wrapped(await readFile(PROGRAM, 'utf8')), 'latin1')
  const checked = await baseNode(root, target, nodeVersion)
  const node = await preparedNode({ target, node: checked, folder: build, version })
  // The code cache is bound to the platform and the Node that made it.
  const isHost = target === hostTarget()
  const cache = join(build, 'program.cache')
  if (isHost && codeCache === undefined) await makeCodeCache({ program, node, output: cache })
  else if (isHost && codeCache !== undefined) await copyFile(codeCache, cache)
  const assets = {
    'program.js': program,
    ...(isHost ? { 'program.cache': cache } : {}),
    'keyring.node': await keyringLibrary(root, target),
  }
  await buildSingleFile({ output, target, node, nodeVersion, assets, build })
  if (!isHost) return undefined
  await copyFile(cache, `${output}.code-cache`)
  return measureFirstStart(output)
}
