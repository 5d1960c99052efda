/** The npm packages that a release publishes, and the files that each holds: what its manifest says, and nothing else. */
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { NOTICES_FILE } from '../notices/notice.ts'
import { PARTS } from '../parts.ts'

export interface Published {
  readonly name: string
  /** The folder of its manifest, from the root of the tree. */
  readonly home: string
  /** Makes the files that are not in the tree: the bundled program, or the modules of TypeScript. */
  readonly build: 'bundle' | 'modules'
  /** The files besides the three that every package has, given its folder. */
  readonly content: (folder: string) => Promise<readonly string[]>
}

/** In every package. */
const ALWAYS = ['LICENSE', 'README.md', 'package.json']
const LAUNCHER = ['bin/node-flags.mjs', 'bin/right-node.mjs', 'bin/sallyport.mjs']

async function filesBelow(folder: string, part: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
}

/** Its sources, which source maps name, and what the compiler makes of each. */
async function modules(folder: string): Promise<readonly string[]> {
  const sources = await filesBelow(folder, 'src')
  const made = sources
    .filter((path) => !path.endsWith('.d.ts'))
    .map((path) => path.replace(/^src\//, 'dist/').replace(/\.ts$/, ''))
    .flatMap((path) => [`${path}.js`, `${path}.js.map`, `${path}.d.ts`])
  return [...sources, ...made]
}

export const PUBLISHED: readonly Published[] = [
  {
    name: 'sallyport',
    home: 'daemon',
    build: 'bundle',
    content: async () => [...LAUNCHER, ...PARTS.map(({ file }) => `dist/${file}`), `dist/${NOTICES_FILE}`],
  },
  {
    name: '@sallyport/protocol',
    home: 'protocol',
    build: 'modules',
    content: async (folder) => [...(await modules(folder)), ...(await filesBelow(folder, 'generated'))],
  },
  { name: '@sallyport/client', home: 'bindings/ts', build: 'modules', content: modules },
]

/** The paths in the package, sorted. */
export const filesOf = async (root: string, { home, content }: Published): Promise<readonly string[]> =>
  [...ALWAYS, ...(await content(join(root, home)))].toSorted()
