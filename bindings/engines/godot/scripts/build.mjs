#!/usr/bin/env node
/**
 * Builds the add-on: `node build.mjs [--engine GODOT] [--platform linux|windows] [--check] [FOLDER]`. The engine prints the header of its
 * interface, so no header of it is kept here. FOLDER, by default `dist`, then has `addons/sallyport` to copy into a project, and `demo`, a whole
 * project. The libraries are those that sallyport.gdextension names, for every platform whose compiler is installed. With --platform, that
 * platform only, and its compiler must be there. `--check` makes warnings errors.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const HERE = resolve(import.meta.dirname, '..')
const C_CLIENT = resolve(HERE, '../../c')
const COMPILERS = {
  linux: { compiler: 'gcc', flags: ['-fPIC', '-pthread'], libraries: ['-pthread'] },
  windows: {
    compiler: 'x86_64-w64-mingw32-gcc',
    flags: [],
    libraries: ['-lbcrypt', '-ladvapi32', '-static-libgcc', '-Wl,--no-insert-timestamp', '-Wl,--disable-auto-image-base'],
  },
}
const KINDS = { debug: ['-g', '-O1'], release: ['-O2', '-s'] }
const WARNINGS = ['-Wall', '-Wextra', '-Wconversion', '-pedantic']
const LIBRARY = /^(\w+)\.(debug|release)\.x86_64 = "res:\/\/addons\/sallyport\/(.+)"$/gm

/** The engine that SALLYPORT_GODOT names, or that engine.mjs fetched, or that is installed. */
function knownEngine() {
  const fetched = resolve(HERE, '../../../.cache/godot/usr/bin/godot')
  return process.env.SALLYPORT_GODOT ?? (existsSync(fetched) ? fetched : 'godot')
}

const { values, positionals } = parseArgs({
  options: {
    engine: { type: 'string', default: knownEngine() },
    platform: { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const output = resolve(positionals[0] ?? join(HERE, 'dist'))
const addon = join(output, 'addons/sallyport')
const work = join(output, 'build')

/** The engine writes into the folder that it runs in. */
function printInterface(folder) {
  mkdirSync(folder, { recursive: true })
  const engine = values.engine.includes('/') ? resolve(values.engine) : values.engine
  // Its settings go there too, not to those of the user.
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder }
  const options = { cwd: folder, env, stdio: 'ignore' }
  if (spawnSync(engine, ['--headless', '--dump-gdextension-interface'], options).status !== 0)
    fail(`${engine} did not print its interface; name a Godot 4.4 or newer with --engine`)
  return folder
}

/** One line of bytes for each line of the text. */
const bytesOf = (text) =>
  text
    .split('\n')
    .map((line) => `${[...Buffer.from(`${line}\n`)].join(',')},\n`)
    .join('')

/** Bytes instead of a text: a compiler may take no text of this length. */
function writeDocumentation(path) {
  const folder = join(HERE, 'doc_classes')
  const events = readFileSync(join(folder, 'events.xml'), 'utf8').replaceAll(/^/gm, '\t\t')
  const names = readdirSync(folder).filter((name) => name.startsWith('Sallyport'))
  const pages = names.map((name) => readFileSync(join(folder, name), 'utf8').replace('\t\t<!-- events -->', events.trimEnd()))
  mkdirSync(join(work, 'doc_classes'))
  for (const [index, name] of names.entries()) writeFileSync(join(work, 'doc_classes', name), pages[index])
  const arrays = pages.map((text, index) => `static const unsigned char page_${index}[] = {\n${bytesOf(text)}0};`)
  const list = pages.map((_, index) => `(const char *)page_${index}, `).join('')
  const declared = 'extern const char *const SALLY_DOCUMENTATION[];'
  writeFileSync(path, `${arrays.join('\n')}\n${declared}\nconst char *const SALLY_DOCUMENTATION[] = {${list}0};\n`)
}

const sourcesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.c'))
    .map((name) => join(folder, name))

function compile(platform, kind, path, header, documentation) {
  const { compiler, flags, libraries } = COMPILERS[platform]
  const warnings = values.check ? [...WARNINGS, '-Werror'] : WARNINGS
  const includes = [`-I${join(C_CLIENT, 'include')}`, `-I${join(C_CLIENT, 'generated')}`, '-isystem', header]
  const sources = [...sourcesIn(join(C_CLIENT, 'src')), ...sourcesIn(join(HERE, 'src')), documentation]
  // What the compiler writes about this file does not depend on where it lies.
  const own = [`-ffile-prefix-map=${resolve(HERE, '../../..')}=.`, `-ffile-prefix-map=${output}=.`]
  const words = ['-std=c99', ...warnings, ...flags, ...KINDS[kind], ...own, '-fvisibility=hidden', ...includes, '-shared', ...sources]
  if (spawnSync(compiler, [...words, ...libraries, '-o', path], { stdio: 'inherit' }).status !== 0) fail(`${compiler} failed; see above`)
  process.stdout.write(`${path}\n`)
}

/** Ends with a sentence instead of a stack. */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const isInstalled = (compiler) => spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0

rmSync(output, { recursive: true, force: true })
cpSync(join(HERE, 'addons/sallyport'), addon, { recursive: true })
for (const name of ['LICENSE', 'README.md', 'DESIGN.md'])
  cpSync(join(name === 'LICENSE' ? resolve(HERE, '../../..') : HERE, name), join(addon, name))
mkdirSync(join(addon, 'bin'))
mkdirSync(work)
const header = printInterface(join(work, 'interface'))
const documentation = join(work, 'documentation.c')
writeDocumentation(documentation)
for (const [, platform, kind, library] of readFileSync(join(addon, 'sallyport.gdextension'), 'utf8').matchAll(LIBRARY)) {
  const { compiler } = COMPILERS[platform]
  const isChosen = values.platform.length === 0 ? isInstalled(compiler) : values.platform.includes(platform)
  if (!isChosen && values.platform.length === 0) process.stderr.write(`${library} is missing, because ${compiler} is not installed.\n`)
  if (isChosen) compile(platform, kind, join(addon, library), header, documentation)
}
cpSync(join(HERE, 'demo'), join(output, 'demo'), { recursive: true })
cpSync(join(output, 'addons'), join(output, 'demo/addons'), { recursive: true })
