/** Turns a TypeScript entry and everything it names into one CommonJS file: the form a single executable can start. */
import { mkdir } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'

export interface BundleRequest {
  readonly entry: string
  readonly outfile: string
  /** As esbuild writes it, e.g. `node26`. */
  readonly target: string
}

/**
 * Native speed-ups that their packages do without. Left to be found at run time, they would be looked for in every folder above the program,
 * where another user of the machine may have put something of the name.
 */
const ABSENT = /^(?:msgpackr-extract|bufferutil|utf-8-validate)$/

/** What asks for them gets the failure that it expects where they are not installed. */
const withoutNatives: Plugin = {
  name: 'without-natives',
  setup(bundler) {
    bundler.onResolve({ filter: ABSENT }, ({ path }) => ({ path, namespace: 'absent' }))
    bundler.onLoad({ filter: ABSENT, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error('${path} is not part of this program')`,
    }))
  },
}

/**
 * CommonJS has no `import.meta`; the file itself stands in for it. `node-ipc` calls createRequire(import.meta.url) when it is loaded,
 * so an undefined URL would stop the process before its first line.
 */
const IMPORT_META = {
  banner: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;",
  define: { 'import.meta.url': '__bundleUrl', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
}

/** What the bundle asks for at run time that is neither in it nor a builtin. */
const missing = ({ outputs }: Metafile): readonly string[] => [
  ...new Set(
    Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external === true && !isBuiltin(path))
      .map(({ path }) => path),
  ),
]

/** Rejects when a module cannot be found, or would have to be found where the executable runs. */
export async function bundle({ entry, outfile, target }: BundleRequest): Promise<{ readonly bytes: number }> {
  await mkdir(dirname(outfile), { recursive: true })
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target,
    // Sources of the workspaces, not their last build.
    conditions: ['sallyport-source'],
    plugins: [withoutNatives],
    banner: { js: IMPORT_META.banner },
    define: IMPORT_META.define,
    // Names stay: a stack trace in the log of a user must be readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    logLevel: 'warning',
    metafile: true,
  })
  const unbundled = missing(metafile)
  if (unbundled.length > 0) throw new Error(`the bundle would need at run time: ${unbundled.join(', ')}`)
  return { bytes: Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0) }
}
