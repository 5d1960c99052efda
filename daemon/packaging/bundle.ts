/** Bundles a TypeScript entry, with the dashboard's page, into CommonJS files, which a single executable can start. */
import { mkdir, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, join } from 'node:path'
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin } from 'esbuild'
import { bundleDashboardPage } from './dashboard-page.ts'
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
const IMPORT_META = {
  banner: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;",
  define: { 'import.meta.url': '__bundleUrl', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
}

const COMMON = { bundle: true, write: false, platform: 'node', legalComments: 'eof', logLevel: 'warning', metafile: true } as const

/** Imports that are neither bundled nor builtin. */
const unresolvedImports = ({ outputs }: Metafile): readonly string[] => [
  ...new Set(
    Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external === true && !isBuiltin(path))
      .map(({ path }) => path),
  ),
]

interface Chunk {
  readonly text: string
  readonly exports: readonly string[]
}

/** By name. */
type Chunks = ReadonlyMap<string, Chunk>

/**
 * The chunks that esbuild made. Throws if one contains a module that is loaded when it is first used: its exports may be read only afterwards,
 * and another part reads them once.
 */
function chunksOf({ outputs }: Metafile, files: readonly OutputFile[]): Chunks {
  const exportsOf = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output.exports]))
  return new Map(
    files.map(({ path, text }) => {
      const name = basename(path)
      if (/^ {2}__esm,?$/m.test(text))
        throw new Error(`the chunk ${name} has an ES module that a CommonJS module requires; import it instead`)
      return [name, { text, exports: exportsOf.get(name) ?? [] }]
    }),
  )
}

const CHUNK = /^\.\/(.+\.js)$/

const required = (file: string): string => `require(${JSON.stringify(`./${file}`)})`

/** What another part exports, as constants: faster than the accessors that esbuild would make. Chunks of other parts have run when they are read. */
function importedFrom({ file }: Part, name: string, { exports }: Chunk): string {
  const values = exports.map((exported, index) => `const v${index} = m[${JSON.stringify(exported)}]`)
  const names = exports.map((exported, index) => `v${index} as ${JSON.stringify(exported)}`)
  return `const m = ${required(file)}['${name}']()\n${values.join('\n')}\nexport { ${names.join(', ')} }`
}

/** Resolves imports of chunks: to their text, or, when they are in another part, to what that part exports. */
const chunkLoader = (chunks: Chunks, partOf: ReadonlyMap<string, Part>, own: Part): Plugin => ({
  name: 'chunks',
  setup(bundler) {
    bundler.onResolve({ filter: CHUNK }, ({ path }) => {
      const name = path.replace(CHUNK, '$1')
      return chunks.has(name) ? { path: name, namespace: partOf.get(name) === own ? 'own' : 'other' } : undefined
    })
    bundler.onResolve({ filter: /^\.\/sallyport.*\.cjs$/, namespace: 'other' }, ({ path }) => ({ path, external: true }))
    bundler.onLoad({ filter: /./ }, ({ path, namespace }) => {
      const chunk = chunks.get(path)
      const part = partOf.get(path)
      if (chunk === undefined || part === undefined) return undefined
      return { contents: namespace === 'own' ? chunk.text : importedFrom(part, path, chunk), loader: 'js' }
    })
  },
})

/** The text that makes a part of its chunks. Other parts load each chunk by its name. */
const entryOf = (names: readonly string[]): string =>
  `module.exports = { ${names.map((name) => `'${name}': () => ${required(name)}`).join(', ')} }`

/** The text of the part that starts. Its chunks run at once, which takes no time for accessors of their exports. */
function startOf(names: readonly string[], main: string, chunks: Chunks): string {
  const lines = names
    .filter((name) => name !== main)
    .flatMap((name, index) => {
      const exported = chunks.get(name)?.exports.map((one, place) => [JSON.stringify(one), `v${index}_${place}`] as const) ?? []
      return [
        `import { ${exported.map((pair) => pair.join(' as ')).join(', ')} } from './${name}'`,
        `const c${index} = () => ({ ${exported.map((pair) => pair.join(': ')).join(', ')} })`,
        `export { c${index} as '${name}' }`,
      ]
    })
  return [...lines, `import './${main}'`].join('\n')
}

/** Rejects if a module is missing or not bundled. Resolves to the size of all files in bytes. */
export async function bundle({ entry, folder, target, parts = PARTS }: BundleRequest): Promise<number> {
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: [entry],
    outdir: folder,
    format: 'esm',
    splitting: true,
    target,
    // The sources of the workspaces, not their build.
    conditions: ['sallyport-source'],
    plugins: [withoutOptional],
    define: { ...IMPORT_META.define, DASHBOARD_PAGE: JSON.stringify(await bundleDashboardPage()) },
  })
  const unbundled = unresolvedImports(metafile)
  if (unbundled.length > 0) throw new Error(`the bundle has unresolved imports: ${unbundled.join(', ')}`)
  const chunks = chunksOf(metafile, outputFiles)
  const partOf = partOfEach(metafile, parts)
  const main = `${basename(entry, '.ts')}.js`
  await mkdir(folder, { recursive: true })
  const sizes = await Promise.all(
    parts.map(async (part) => {
      const names = [...chunks.keys()].filter((name) => partOf.get(name) === part)
      const text = await bundlePart({
        stdin: {
          contents: names.includes(main) ? startOf(names, main, chunks) : entryOf(names),
          resolveDir: folder,
        },
        plugins: [chunkLoader(chunks, partOf, part)],
        target,
      })
      await writeFile(join(folder, part.file), text)
      return text.length
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The text of one file, which throws for a character that takes two bytes. */
async function bundlePart(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...COMMON,
    ...options,
    format: 'cjs',
    // A dynamic import becomes `require`, which an executable can provide.
    supported: { 'dynamic-import': false },
    banner: { js: IMPORT_META.banner },
    // Keeps names, so that stack traces in logs are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    write: false,
  })
  const text = outputFiles[0]?.text ?? ''
  const [wide] = /[\u0100-\uffff]/.exec(text) ?? []
  if (wide !== undefined)
    throw new Error(
      `the bundle contains ${JSON.stringify(wide)}, for which V8 would keep the whole text in two bytes a character; escape it`,
    )
  return text
}
