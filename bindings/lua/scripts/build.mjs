#!/usr/bin/env node
/**
 * Builds the C library for the module: `node build.mjs [FOLDER]`. FOLDER, by default `dist`, then has the library of every system whose compiler is
 * installed, to copy into the folder `sallyport` of the module. At least the one for Linux must be.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const HERE = resolve(import.meta.dirname, '..')
const C_CLIENT = resolve(HERE, '../c')
const SYSTEMS = [
  { library: 'libsallyport.so', compiler: 'gcc', flags: ['-fPIC', '-pthread'], libraries: [] },
  {
    library: 'sallyport.dll',
    compiler: 'x86_64-w64-mingw32-gcc',
    flags: [],
    libraries: ['-lbcrypt', '-ladvapi32', '-static-libgcc', '-Wl,--no-insert-timestamp', '-Wl,--disable-auto-image-base'],
  },
]
// What the compiler writes depends neither on the time nor on where the sources and the library lie.
const FLAGS = ['-std=c99', '-Os', '-s', '-shared', '-fvisibility=hidden', '-DSALLYPORT_SHARED', '-DSALLYPORT_BUILDING']

const output = resolve(process.argv[2] ?? join(HERE, 'dist'))
const sources = readdirSync(join(C_CLIENT, 'src'))
  .filter((name) => name.endsWith('.c'))
  .toSorted()
  .map((name) => join('src', name))

const isInstalled = (compiler) => spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0

/** Returns whether the library is there. */
function compile({ library, compiler, flags, libraries }) {
  if (!isInstalled(compiler)) {
    process.stderr.write(`${library} is missing, because ${compiler} is not installed.\n`)
    return false
  }
  const words = [...FLAGS, ...flags, '-Iinclude', '-Igenerated', ...sources, '-o', join(output, library), ...libraries]
  return spawnSync(compiler, words, { cwd: C_CLIENT, stdio: 'inherit' }).status === 0
}

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
const [isLinuxMade] = SYSTEMS.map(compile)
if (!isLinuxMade) process.exitCode = 1
