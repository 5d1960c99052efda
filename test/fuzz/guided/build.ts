/** Bundles a target into one file, with counters in the code of this repository and of msgpackr. */
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { build, type Plugin, transform } from 'esbuild'
import { instrument } from './instrument.ts'

const ROOT = resolve(import.meta.dirname, '..', '..', '..')
const COUNTED = /[\\/](?:daemon[\\/](?:src|core[\\/]src)|protocol[\\/]src)[\\/].+\.ts$|[\\/]msgpackr[\\/](?:un)?pack\.js$/

/** Text of a file in place of other text, which occurs once: a planted bug, or a limit that small inputs reach. */
export interface Replacement {
  /** From the root. */
  readonly file: string
  readonly from: string
  readonly to: string
}

function replaced(text: string, file: string, replacements: readonly Replacement[]): string {
  return replacements
    .filter((one) => join(ROOT, one.file) === file)
    .reduce((before, { from, to }) => {
      if (before.split(from).length !== 2) throw new Error(`${relative(ROOT, file)} does not have this text once: ${from}`)
      return before.replace(from, () => to)
    }, text)
}

export interface Built {
  /** An ECMAScript module that exports `target`. */
  readonly code: string
  /** The counters of each file: the first, and the one after the last. */
  readonly files: readonly (readonly [first: number, end: number])[]
}

export async function buildTarget(entry: string, replacements: readonly Replacement[]): Promise<Built> {
  const files: (readonly [number, number])[] = []
  let comparison = 0
  const counters: Plugin = {
    name: 'counters',
    setup(bundler) {
      bundler.onLoad({ filter: COUNTED }, async ({ path }) => {
        const text = replaced(await readFile(path, 'utf8'), path, replacements)
        const plain = path.endsWith('.ts') ? (await transform(text, { loader: 'ts', target: 'node26' })).code : text
        const first = files.at(-1)?.[1] ?? 0
        const { code, branches, comparisons } = instrument(plain, { branch: first, comparison })
        comparison += comparisons
        files.push([first, first + branches])
        return { contents: code, loader: 'js' }
      })
    },
  }
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node26',
    conditions: ['sallyport-source'],
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [counters],
  })
  return { code: outputFiles[0]?.text ?? '', files }
}
