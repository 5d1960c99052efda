#!/usr/bin/env node
/**
 * Fetches a Godot 4 with its export templates for the tests: `node engine.mjs [FOLDER]`, by default `.cache/godot` of the repository. Prints the
 * path of the engine. The packages of Debian's unstable distribution are unpacked, not installed, with every library that they need; apt checks
 * their signatures. It needs Linux on x64 with apt-get, dpkg-deb and Debian's keyring, no rights, and 700 MB.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PACKAGES = ['godot', 'godot-template-debug', 'godot-template-release']
const PROGRAMS = ['godot', 'godot-template-debug', 'godot-template-release']
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const ORIGINAL = 'http://deb.debian.org/debian/'
const LIBRARIES = 'usr/lib/x86_64-linux-gnu'

const run = (program, args, env = {}) =>
  execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })

/** Why it cannot be fetched here; undefined if it can. */
function obstacle() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Debian has Godot for Linux on x64 only'
  if (!existsSync(KEYRING)) return `there is no ${KEYRING} to check the packages with`
  const missing = ['apt-get', 'dpkg-deb'].find((program) => !existsSync(join('/usr/bin', program)))
  return missing === undefined ? undefined : `there is no ${missing}`
}

/** The mirror that this system uses itself. */
const mirror = () =>
  run('apt-get', ['indextargets', '--format', '$(REPO_URI)'])
    .split('\n')
    .find((uri) => uri.endsWith('/debian/')) ?? ORIGINAL

/** Settings for an apt that knows of nothing but these folders. */
function writeSettings(apt) {
  for (const folder of ['etc/apt.conf.d', 'etc/preferences.d', 'state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, folder), { recursive: true })
  writeFileSync(join(apt, 'status'), '')
  writeFileSync(join(apt, 'etc/sources.list'), `deb [signed-by=${KEYRING}] ${mirror()} sid main\n`)
  const settings = {
    Dir: `${apt}/`,
    'Dir::State': join(apt, 'state'),
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'Dir::Etc': join(apt, 'etc'),
    'Dir::Etc::sourcelist': join(apt, 'etc/sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Architecture': 'amd64',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    // A mirror that is frozen, or the clock of a test machine.
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::Retries': '3',
  }
  const path = join(apt, 'apt.conf')
  writeFileSync(
    path,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  )
  return path
}

function unpackPackages(root) {
  const apt = join(root, 'apt')
  const env = { APT_CONFIG: writeSettings(apt) }
  run('apt-get', ['update', '-qq'], env)
  run('apt-get', ['install', '-y', '-qq', '--download-only', ...PACKAGES, 'patchelf'], env)
  const archives = join(apt, 'cache/archives')
  for (const name of readdirSync(archives)) if (name.endsWith('.deb')) run('dpkg-deb', ['-x', join(archives, name), root])
  for (const folder of ['apt', 'etc', 'var', 'usr/share']) rmSync(join(root, folder), { recursive: true, force: true })
}

/** The programs then use the unpacked libraries, as the packages were made for a newer system than this one. */
function bind(root, final) {
  const loader = join(LIBRARIES, 'ld-linux-x86-64.so.2')
  const patch = (...args) => run(join(root, loader), ['--library-path', join(root, LIBRARIES), join(root, 'usr/bin/patchelf'), ...args])
  const libraries = readdirSync(join(root, LIBRARIES)).filter((name) => /^libpulse.*\.so\.\d+\.\d+/.test(name))
  for (const name of libraries) patch('--set-rpath', '$ORIGIN/pulseaudio', join(root, LIBRARIES, name))
  for (const name of PROGRAMS) {
    const program = join(root, 'usr/bin', name)
    patch('--set-interpreter', join(final, loader), program)
    patch('--force-rpath', '--set-rpath', join(final, LIBRARIES), program)
  }
}

const [folder = join(import.meta.dirname, '../../../../.cache/godot')] = process.argv.slice(2)
const final = resolve(folder)
const engine = join(final, 'usr/bin/godot')
try {
  if (!existsSync(engine)) {
    const problem = obstacle()
    if (problem !== undefined) throw new Error(problem)
    // Either whole or not there.
    const partial = `${final}.partial`
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true })
    unpackPackages(partial)
    bind(partial, final)
    rmSync(final, { recursive: true, force: true })
    renameSync(partial, final)
  }
  process.stdout.write(`${engine}\n`)
} catch (failure) {
  process.stderr.write(`Godot could not be fetched: ${(failure.stderr || failure.message).trim()}\n`)
  process.exitCode = 1
}
