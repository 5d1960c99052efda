/** Bundles a TypeScript entry, with the dashboard's page, into a CommonJS file, which a single executable can start. */
import { mkdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { bundleDashboardPage } from './dashboard-page.ts'

export interface BundleRequest {
  readonly entry: string
  readonly outfile: string
  /** A target of esbuild, e.g. `node26`. */
  readonly target: string
  /** Modules that are files of their own beside this one, which `require` loads when they are imported: the file by the module. */
  readonly separate?: ReadonlyMap<string, string>
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

/** Leaves out modules that are bundles of their own. */
const withoutModules = (separate: ReadonlyMap<string, string>): Plugin => ({
  name: 'without-modules',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const file = separate.get(resolve(resolveDir, path))
      return file === undefined ? undefined : { path: file, external: true }
    })
  },
})

/**
 * Replacement for `import.meta`, which CommonJS does not have. `node-ipc` calls createRequire(import.meta.url) when it is loaded, which
 * throws for an undefined URL.
 */
const IMPORT_META = {
  banner: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;",
  define: { 'import.meta.url': '__bundleUrl', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
}

/** Imports of the bundle that are neither bundled nor builtin. */
const unresolvedImports = ({ outputs }: Metafile, separate: ReadonlyMap<string, string>): readonly string[] => [
  ...new Set(
    Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external === true && !isBuiltin(path) && ![...separate.values()].includes(path))
      .map(({ path }) => path),
  ),
]

/** Rejects if a module is missing or not bundled. */
export async function bundle({ entry, outfile, target, separate = new Map() }: BundleRequest): Promise<{ readonly bytes: number }> {
  await mkdir(dirname(outfile), { recursive: true })
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target,
    // The sources of the workspaces, not their build.
    conditions: ['sallyport-source'],
    plugins: [withoutOptional, withoutModules(separate)],
    // A dynamic import becomes `require`, which an executable can provide.
    supported: { 'dynamic-import': false },
    banner: { js: IMPORT_META.banner },
    define: { ...IMPORT_META.define, DASHBOARD_PAGE: JSON.stringify(await bundleDashboardPage()) },
    // Keeps names, so that stack traces in logs are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    logLevel: 'warning',
    metafile: true,
  })
  const unbundled = unresolvedImports(metafile, separate)
  if (unbundled.length > 0) throw new Error(`the bundle has unresolved imports: ${unbundled.join(', ')}`)
  const [wide] = /[\u0100-\uffff]/.exec(await readFile(outfile, 'utf8')) ?? []
  if (wide !== undefined)
    throw new Error(
      `the bundle contains ${JSON.stringify(wide)}, for which V8 would keep the whole text in two bytes a character; escape it`,
    )
  return { bytes: Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0) }
}
