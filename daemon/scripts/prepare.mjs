/**
 * Makes a clone ready to run: installs what the lockfile says when that is not what is there, then builds what changed.
 * Plain JavaScript for Node 20, since on a fresh clone nothing else is there yet. Everything it prints goes to stderr.
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
/** What npm writes at the end of an installation: the packages that are there. */
const INSTALLED_PACKAGES = join(MODULES, '.package-lock.json')
const STDERR = 2

const say = (sentence) => process.stderr.write(`${sentence}\n`)
const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
const lockHash = () => createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')
const isWithin = (file, folder) => resolve(file).startsWith(folder + sep)

/** Whether somebody already installed exactly this lockfile with npm itself. */
function isInstalledByHand() {
  const installed = readText(INSTALLED_PACKAGES)
  if (installed === undefined) return false
  const there = JSON.parse(installed).packages
  const wanted = Object.entries(JSON.parse(readFileSync(LOCKFILE, 'utf8')).packages)
  // Optional packages of other platforms are rightly missing; a workspace stands in the lockfile as itself and as its link.
  return wanted.every(([path, { optional, integrity, link }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = there[path]
    return found === undefined ? optional === true : found.integrity === integrity && found.link === link
  })
}

const isInstalled = () => readText(INSTALLED_FROM) === lockHash() || isInstalledByHand()

/**
 * npm is run by the Node that runs npm now, not by the one in node_modules: the installation replaces that one.
 * For the same reason its folder is taken out of PATH.
 */
function npmCommand() {
  const cli = process.env.npm_execpath
  const ownNode = [process.env.npm_node_execpath, process.execPath].find(
    (node) => node !== undefined && existsSync(node) && !isWithin(node, MODULES),
  )
  if (cli !== undefined && /\.[cm]?js$/.test(cli) && ownNode !== undefined) return { command: ownNode, before: [cli], shell: false }
  // Windows starts npm by a command file, which needs the shell; no argument here needs quoting.
  return { command: 'npm', before: [], shell: process.platform === 'win32' }
}

/** The environment without what an outer `npm run` says of itself: it would aim the installation at one workspace, or leave parts out. */
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

/** Runs it with everything it prints on stderr; gives the reason when it did not work. */
function reasonForFailure(command, args, options) {
  const { status, signal, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', STDERR, STDERR], ...options })
  if (error !== undefined) return error.message
  if (signal !== null) return `it was ended by ${signal}`
  return status === 0 ? undefined : `it ended with code ${status}`
}

function install() {
  if (isInstalled()) return true
  say('Installing the packages of package-lock.json. This is needed once, and again when they change…')
  const { command, before, shell } = npmCommand()
  const args = [...before, 'ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const reason = reasonForFailure(command, args, { env: cleanEnvironment(), shell })
  if (reason === undefined) return true
  say(`The packages could not be installed (npm ci: ${reason}). The lines above say why; it is safe to try again.`)
  return false
}

/** Written by whoever found or made the installation complete, so that the next start need not compare. */
function remember() {
  if (readText(INSTALLED_FROM) !== lockHash()) writeFileSync(INSTALLED_FROM, `${lockHash()}\n`)
}

/** Types and modules for whoever imports them, then the one file that runs. */
function build() {
  const steps = [
    [process.execPath, join(MODULES, 'typescript', 'bin', 'tsc'), '-b', 'daemon'],
    [rightNode() ?? process.execPath, join(ROOT, 'daemon', 'packaging', 'program.ts')],
  ]
  for (const [command, program, ...args] of steps) {
    const reason = reasonForFailure(command, [program, ...args], {})
    if (reason === undefined) continue
    say(`The build failed (${basename(program)}: ${reason}). The lines above name the files.`)
    return false
  }
  return true
}

/** Installs and builds what is needed; false when that failed, after saying why. */
export function prepare() {
  if (!install()) return false
  remember()
  return build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = prepare() ? 0 : 1
