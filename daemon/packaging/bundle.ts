/**
 * Bundles a TypeScript entry, with the dashboard's page, into the CommonJS files of parts.ts. esbuild splits the program into chunks: what one or
 * several dynamic imports share. Here each chunk becomes a function of its part, which runs when the chunk is first used.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { build, type Metafile, type Plugin, transform } from 'esbuild'
import { bundleDashboardPage } from './dashboard-page.ts'
import { lazyBuiltins } from './lazy-builtins.ts'
import { type Part, PARTS, partOfEach, type Parts } from './parts.ts'

export interface BundleRequest {
  readonly entry: string
  readonly folder: string
  /** A target of esbuild, e.g. `node26`. */
  readonly target: string
  /** One file for all that has no other; those of the program by default. */
  readonly parts?: Parts
}

/**
 * Optional native packages. At run time Node would search for them in every folder above the program, where another user of the machine may
 * have placed a package of that name.
 */
const NATIVES = ['msgpackr-extract', 'bufferutil', 'utf-8-validate']

/**
 * Loading `node:http2` takes longer than loading all else that an HTTP request needs. undici does without it, and the daemon never speaks HTTP/2.
 * `xml2js` reads descriptions of other programs' objects on D-Bus, which the tray never asks for.
 */
const UNUSED = ['node:http2', 'xml2js']

const EXCLUDED = new RegExp(`^(?:${[...NATIVES, ...UNUSED].join('|')})$`)

/**
 * What pino has for transports, of which the daemon has none: their loader needs four modules of Node, and to find a transport pino asks V8 who
 * called it. V8 then counts the lines of every file on the stack, and the bridge has a megabyte.
 */
const withoutTransports: Plugin = {
  name: 'without-transports',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]caller\.js$/ }, () => ({ contents: 'module.exports = () => []' }))
    bundler.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]transport\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error('a transport of pino is not part of this program') }`,
    }))
  },
}

/** The SDK of OpenTelemetry can start programs of the system to learn the number of the machine, which the daemon sends to no collector. */
const withoutMachineId: Plugin = {
  name: 'without-machine-id',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]machine-id[\\/]getMachineId\.mjs$/ }, () => ({
      contents: 'export const getMachineId = async () => undefined',
    }))
  },
}

/** Makes their import throw, as if they were not installed. */
const withoutOptional: Plugin = {
  name: 'without-optional',
  setup(bundler) {
    bundler.onResolve({ filter: EXCLUDED }, ({ path }) => ({ path, namespace: 'absent' }))
    bundler.onLoad({ filter: EXCLUDED, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error('${path} is not part of this program')`,
    }))
  },
}

/**
 * Replacement for `import.meta`, which CommonJS does not have. `node-ipc` calls createRequire(import.meta.url) when it is loaded, which
 * throws for an undefined URL.
 */
const IMPORT_META = { 'import.meta.url': '__bundleUrl', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' }

/** Leaves undici's second, experimental parser out, as the copy of undici in Node does; it is half of the client and never used. */
const UNDICI = { esbuildDetection: 'true' }

/** The first lines of a part. */
const HEAD = `'use strict'
const __bundleUrl = require('node:url').pathToFileURL(__filename).href
const __once = (make) => { let made; return () => made ??= make() }
`

/** Imports that are neither bundled nor builtin. */
const unresolvedImports = ({ outputs }: Metafile): readonly string[] => [
  ...new Set(
    Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external === true && !isBuiltin(path))
      .map(({ path }) => path),
  ),
]

/** The forms in which esbuild writes imports and exports of a chunk. In any other, the text of the part would be no script, which throws. */
const IMPORT = /^import (?:(?:\{([^}]*)\}|(?:\* as )?([\w$]+)) from )?"([^"]+)";$/gm
const DYNAMIC_IMPORT = /\bimport\("\.\/([^"]+)"\)/g
const EXPORT = /^export (?:\{([^}]*)\}|default (.+));$/m

/** `a as b, c` as `b: a, c`; of an import, the other way round. */
const exportedAs = (names: string): string => names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2: $1')
const importedAs = (names: string): string => names.replaceAll(' as ', ': ')

/** The text of a chunk as that of a function that returns what it exports. `use`: the text that gives what another chunk exports. */
function functionOf(chunk: string, use: (name: string) => string): string {
  if (chunk.includes('__esm(')) throw new Error('a CommonJS module requires an ES module, which would run too late; import it instead')
  const body = chunk
    .replaceAll(IMPORT, (_all, names: string | undefined, whole: string | undefined, path: string) => {
      const value = path.startsWith('./') ? use(path.slice(2)) : `require(${JSON.stringify(path)})`
      // Constants: chunks do not import each other in a circle, so the other one has run.
      if (names !== undefined) return `const {${importedAs(names)}} = ${value};`
      return whole === undefined ? `${value};` : `const ${whole} = ${value};`
    })
    .replaceAll(DYNAMIC_IMPORT, (_all, name: string) => `Promise.resolve().then(() => ${use(name)})`)
    .replace(EXPORT, (_all, names: string | undefined, value: string) =>
      names === undefined ? `return { default: ${value} };` : `return {${exportedAs(names)}};`,
    )
  return `() => {\n${body}\n}`
}

/** The text of a part: an object of its chunks, which other parts use by their names. */
function textOf(part: Part, chunks: ReadonlyMap<string, string>, partOf: ReadonlyMap<string, Part>): string {
  const use = (name: string): string => {
    const other = partOf.get(name)
    if (other === undefined) throw new Error(`there is no chunk ${name}`)
    return `${other === part ? '__chunks' : `require(${JSON.stringify(`./${other.file}`)})`}[${JSON.stringify(name)}]()`
  }
  const own = [...chunks].filter(([name]) => partOf.get(name) === part)
  const functions = own.map(([name, text]) => `${JSON.stringify(name)}: __once(${functionOf(text, use)})`)
  return `${HEAD}const __chunks = module.exports = {\n${functions.join(',\n')}\n}\n`
}

export interface Bundled {
  /** The size of all files. */
  readonly bytes: number
  /** The folders of the npm packages that are in them. */
  readonly packages: readonly string[]
}

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** The folders of the packages whose code is in the outputs. Paths of a metafile are those from the current folder. */
const packagesIn = ({ outputs }: Metafile): readonly string[] =>
  Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => PACKAGE.exec(path)?.[1] ?? [])
    .map((folder) => resolve(folder))

/** Rejects if a module is missing or not bundled. */
export async function bundle({ entry, folder, target, parts = PARTS }: BundleRequest): Promise<Bundled> {
  const page = await bundleDashboardPage()
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    target,
    legalComments: 'eof',
    logLevel: 'warning',
    // The sources of the workspaces, not their build.
    conditions: ['sallyport-source'],
    plugins: [withoutOptional, withoutTransports, withoutMachineId, lazyBuiltins],
    define: { ...IMPORT_META, ...UNDICI, ...page.constants },
  })
  const unbundled = unresolvedImports(metafile)
  if (unbundled.length > 0) throw new Error(`the bundle has unresolved imports: ${unbundled.join(', ')}`)
  const chunks = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const partOf = partOfEach(metafile, parts)
  const main = `${basename(entry, '.ts')}.js`
  await mkdir(folder, { recursive: true })
  const sizes = await Promise.all(
    parts.map(async (part) => {
      const text = textOf(part, chunks, partOf)
      const written = await minified(partOf.get(main) === part ? `${text}__chunks[${JSON.stringify(main)}]()\n` : text, target)
      await writeIfChanged(join(folder, part.file), written)
      return written.length
    }),
  )
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    packages: [...new Set([page.metafile, metafile].flatMap(packagesIn))].toSorted(),
  }
}

/** A file with this text keeps its time, so that an executable made of it is not old. */
async function writeIfChanged(file: string, text: string): Promise<void> {
  const there = await readFile(file, 'utf8').catch(() => undefined)
  if (there !== text) await writeFile(file, text)
}

/** Throws for a character that takes two bytes. */
async function minified(text: string, target: string): Promise<string> {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target,
    // A dynamic import becomes `require`, which an executable can provide.
    supported: { 'dynamic-import': false },
    // Keeps names, so that stack traces in logs are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    logLevel: 'warning',
  })
  const [wide] = /[\u0100-\uffff]/.exec(code) ?? []
  if (wide !== undefined)
    throw new Error(
      `the bundle contains ${JSON.stringify(wide)}, for which V8 would keep the whole text in two bytes a character; escape it`,
    )
  return code
}
