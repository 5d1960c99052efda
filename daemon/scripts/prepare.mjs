/**
 * Prepares a clone: installs the packages of the lockfile if needed, then builds. To run, the daemon needs a tenth of the packages and no
 * type check; to test, all of them.
 * Plain JavaScript for Node 20, because a new clone has nothing installed. Prints only to stderr.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rightNode } from '../bin/right-node.mjs'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
const LOCKFILE = join(ROOT, 'package-lock.json')
const MODULES = join(ROOT, 'node_modules')
/** What was installed into node_modules: the hash of its lockfile, then `all`, or `to run`. */
const INSTALLED_FROM = join(MODULES, '.sallyport-lock')
/** The list of installed packages, written by npm. */
const INSTALLED_PACKAGES = join(MODULES, '.package-lock.json')
const STDERR = 2

const say = (sentence) => process.stderr.write(`${sentence}\n`)
const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
const lockHash = () => createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')
const isWithin = (file, folder) => resolve(file).startsWith(folder + sep)

/** Whether the folder has the packages of this lockfile, also if npm installed them directly. `isAll`: with those of the tests. */
function hasPackages(isAll) {
  const installed = readText(INSTALLED_PACKAGES)
  if (installed === undefined) return false
  const there = JSON.parse(installed).packages
  const locked = Object.entries(JSON.parse(readFileSync(LOCKFILE, 'utf8')).packages)
  // Optional packages of other platforms may be missing; the lockfile lists a workspace as itself and as its link.
  return locked.every(([path, { optional, integrity, link, dev }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    if (dev === true && !isAll) return true
    const found = there[path]
    return found === undefined ? optional === true : found.integrity === integrity && found.link === link
  })
}

const stampOf = (isAll) => `${lockHash()} ${isAll ? 'all' : 'to run'}`
const isStamped = (isAll) => readText(INSTALLED_FROM) === stampOf(isAll)

const isInstalled = (isAll) => isStamped(true) || (!isAll && isStamped(false)) || hasPackages(isAll)

/**
 * Runs npm with the Node that runs npm now, not with the one in node_modules, because the installation replaces that one.
 * For the same reason its folder is removed from PATH.
 */
function npmCommand() {
  const cli = process.env.npm_execpath
  const ownNode = [process.env.npm_node_execpath, process.execPath].find(
    (node) => node !== undefined && existsSync(node) && !isWithin(node, MODULES),
  )
  if (cli !== undefined && /\.[cm]?js$/.test(cli) && ownNode !== undefined) return { command: ownNode, before: [cli], shell: false }
  // On Windows npm is a command file, which needs the shell; no argument here needs quoting.
  return { command: 'npm', before: [], shell: process.platform === 'win32' }
}

/** The environment without the variables of an outer `npm run`, which could restrict the installation to a workspace or omit packages. */
function cleanEnvironment() {
  const ofOuterRun =
    /^npm_(?:lifecycle_|package_|command$|config_(?:workspaces?|include_workspace_root|local_prefix|omit|production|dry_run|json|ignore_scripts)$)/i
  const kept = Object.entries(process.env).filter(([name]) => !ofOuterRun.test(name) && name !== 'NODE_ENV')
  return Object.fromEntries(
    kept.map(([name, value]) =>
      name.toUpperCase() === 'PATH'
        ? [
            name,
            value
              .split(delimiter)
              .filter((folder) => !isWithin(folder, MODULES))
              .join(delimiter),
          ]
        : [name, value],
    ),
  )
}

/** Runs a command with its output on stderr; returns the reason if it failed. */
function reasonForFailure(command, args, options) {
  const { status, signal, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', STDERR, STDERR], ...options })
  if (error !== undefined) return error.message
  if (signal !== null) return `it was ended by ${signal}`
  return status === 0 ? undefined : `it ended with code ${status}`
}

/** Runs npm; returns the reason if it failed. `isAll`: with the packages of the tests. */
function npm(words, isAll) {
  const { command, before, shell } = npmCommand()
  const dev = isAll ? '--include=dev' : '--omit=dev'
  const args = [...before, ...words, '--ignore-scripts', dev, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  return reasonForFailure(command, args, { env: cleanEnvironment(), shell })
}

function install(isAll) {
  if (isInstalled(isAll)) return true
  say(
    isAll
      ? 'Installing the packages of package-lock.json, with those of the tests. This runs again only when they change…'
      : 'Installing the packages that the daemon needs. This runs again only when they change…',
  )
  // Adds to what is there, because `npm ci` would remove the Node that a running daemon uses.
  if (isAll && isStamped(false) && npm(['install', '--no-save'], isAll) === undefined && hasPackages(isAll)) return true
  const reason = npm(['ci'], isAll)
  if (reason === undefined) return true
  say(`The packages could not be installed (npm ci: ${reason}). See the lines above; it is safe to try again.`)
  return false
}

/** Records the installation, so that the next start need not compare. */
function recordInstallation(isAll) {
  if (!isStamped(true) && !isStamped(isAll)) writeFileSync(INSTALLED_FROM, `${stampOf(isAll)}\n`)
}

/** Builds the bundled program; with `isAll`, types and modules before it. */
function build(isAll) {
  const bundle = [rightNode() ?? process.execPath, join(ROOT, 'daemon', 'packaging', 'program.ts')]
  const types = [process.execPath, join(MODULES, 'typescript', 'bin', 'tsc'), '-b', 'daemon']
  const steps = isAll ? [types, bundle] : [bundle]
  for (const [command, program, ...args] of steps) {
    const reason = reasonForFailure(command, [program, ...args], {})
    if (reason === undefined) continue
    say(`The build failed (${basename(program)}: ${reason}). See the lines above.`)
    return false
  }
  return true
}

/**
 * Installs and builds if needed; false after a reported failure. `isAll`: for tests and tools, not only to run the daemon. `isBuilt`: false for
 * what builds itself.
 */
export function prepare({ isAll, isBuilt }) {
  if (!install(isAll)) return false
  recordInstallation(isAll)
  return !isBuilt || build(isAll)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = prepare({ isAll: true, isBuilt: true }) ? 0 : 1
