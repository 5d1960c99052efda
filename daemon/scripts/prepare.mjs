/**
 * Prepares a clone: installs the packages of the lockfile if needed, then builds.
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
/** Hash of the lockfile that node_modules was installed from. */
const INSTALLED_FROM = join(MODULES, '.sallyport-lock')
/** The list of installed packages, written by npm. */
const INSTALLED_PACKAGES = join(MODULES, '.package-lock.json')
const STDERR = 2

const say = (sentence) => process.stderr.write(`${sentence}\n`)
const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
const lockHash = () => createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')
const isWithin = (file, folder) => resolve(file).startsWith(folder + sep)

/** Whether this lockfile was already installed with npm directly. */
function isInstalledByHand() {
  const installed = readText(INSTALLED_PACKAGES)
  if (installed === undefined) return false
  const there = JSON.parse(installed).packages
  const locked = Object.entries(JSON.parse(readFileSync(LOCKFILE, 'utf8')).packages)
  // Optional packages of other platforms may be missing; the lockfile lists a workspace as itself and as its link.
  return locked.every(([path, { optional, integrity, link }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = there[path]
    return found === undefined ? optional === true : found.integrity === integrity && found.link === link
  })
}

const isInstalled = () => readText(INSTALLED_FROM) === lockHash() || isInstalledByHand()

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

function install() {
  if (isInstalled()) return true
  say('Installing the packages of package-lock.json. This runs again only when they change…')
  const { command, before, shell } = npmCommand()
  const args = [...before, 'ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const reason = reasonForFailure(command, args, { env: cleanEnvironment(), shell })
  if (reason === undefined) return true
  say(`The packages could not be installed (npm ci: ${reason}). See the lines above; it is safe to try again.`)
  return false
}

/** Records the complete installation, so that the next start need not compare. */
function recordInstallation() {
  if (readText(INSTALLED_FROM) !== lockHash()) writeFileSync(INSTALLED_FROM, `${lockHash()}\n`)
}

/** Builds types and modules, then the bundled program. */
function build() {
  const steps = [
    [process.execPath, join(MODULES, 'typescript', 'bin', 'tsc'), '-b', 'daemon'],
    [rightNode() ?? process.execPath, join(ROOT, 'daemon', 'packaging', 'program.ts')],
  ]
  for (const [command, program, ...args] of steps) {
    const reason = reasonForFailure(command, [program, ...args], {})
    if (reason === undefined) continue
    say(`The build failed (${basename(program)}: ${reason}). See the lines above.`)
    return false
  }
  return true
}

/** Installs and builds if needed; false after a reported failure. */
export function prepare() {
  if (!install()) return false
  recordInstallation()
  return build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = prepare() ? 0 : 1
