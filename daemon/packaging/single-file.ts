/** Builds an executable from a bundle with pkg in SEA mode, without downloads by pkg. */
import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { nodeFlags } from '../bin/node-flags.mjs'
import type { Target } from './base-node.ts'

const require = createRequire(import.meta.url)
const MAIN = join(import.meta.dirname, 'loader.cjs')

export interface SingleFileRequest {
  readonly output: string
  readonly target: Target
  /** Node for the target. */
  readonly node: string
  /** The full version, e.g. `26.10.0`, because pkg resolves a range via the network. */
  readonly nodeVersion: string
  /** Files by asset name; `loader.cjs` needs those of parts.ts. */
  readonly assets: Readonly<Record<string, string>>
  /** A folder for intermediate files. */
  readonly build: string
}

/** The used part of pkg's internal module. Its command line cannot pass `seaConfig` in this mode; the version is exact. */
interface PkgSea {
  readonly default: (
    main: string,
    options: {
      readonly targets: readonly {
        readonly nodeRange: string
        readonly platform: string
        readonly arch: string
        readonly output: string
      }[]
      readonly seaConfig: Readonly<Record<string, unknown>>
    },
  ) => Promise<void>
}

/** The platform names of Node. */
const NODE_NAMES = { linux: 'linux', win: 'win32', macos: 'darwin' } as const satisfies Record<Target['platform'], NodeJS.Platform>

/** Puts the binary into the cache of pkg, marked as verified. */
async function seedCache(cache: string, { target, node, nodeVersion }: SingleFileRequest): Promise<void> {
  const os = target.platform === 'win' ? 'win' : NODE_NAMES[target.platform]
  const base = join(cache, `node-v${nodeVersion}-${os}-${target.arch}`)
  const [binary, archive] = target.platform === 'win' ? [`${base}.exe`, `${base}.zip`] : [join(base, 'bin', 'node'), `${base}.tar.gz`]
  await mkdir(dirname(binary), { recursive: true })
  await rm(binary, { force: true })
  // A link suffices, because pkg copies before it writes. Copies across file systems.
  await link(node, binary).catch(() => copyFile(node, binary))
  for (const empty of [`${binary}.ok`, archive, `${archive}.ok`]) await writeFile(empty, '')
}

/** Runs `work` with another folder for temporary files. */
async function inTemporaryFolder(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** The calling process must have its own home directory, because pkg always uses the cache below it. */
export async function buildSingleFile(request: SingleFileRequest): Promise<void> {
  await seedCache(join(homedir(), '.pkg-cache', 'sea'), request)
  await rm(request.output, { force: true })
  const sea = require('@yao-pkg/pkg/lib-es5/sea.js') as PkgSea
  // The executable contains the path of its main script as it is given here. From pkg's folder in the temporary folder, it is the same in
  // every checkout.
  await copyFile(MAIN, join(request.build, basename(MAIN)))
  await inTemporaryFolder(request.build, () =>
    sea.default(MAIN, {
      targets: [
        { nodeRange: `node${request.nodeVersion}`, platform: request.target.platform, arch: request.target.arch, output: request.output },
      ],
      seaConfig: {
        main: `../${basename(MAIN)}`,
        disableExperimentalSEAWarning: true,
        // The main script is a few lines; it loads the program with a code cache of its own.
        useCodeCache: false,
        useSnapshot: false,
        assets: request.assets,
        execArgv: nodeFlags(NODE_NAMES[request.target.platform]),
        // NODE_OPTIONS must not affect the daemon.
        execArgvExtension: 'none',
      },
    }),
  )
  if (!existsSync(request.output)) throw new Error(`pkg created no ${request.output}`)
}
