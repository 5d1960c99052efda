/** Hands a bundle to pkg in SEA mode and takes back one executable, without pkg fetching anything. */
import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { nodeFlags } from '../bin/node-flags.mjs'
import type { Target } from './base-node.ts'

const require = createRequire(import.meta.url)

export interface SingleFileRequest {
  /** The CommonJS bundle. */
  readonly main: string
  readonly output: string
  readonly target: Target
  /** Node for the target. */
  readonly node: string
  /** Full, e.g. `26.10.0`: a range would make pkg ask the network what it means. */
  readonly nodeVersion: string
  /** Files it carries besides its code, by the name under which it asks for them. */
  readonly assets: Readonly<Record<string, string>>
  /** V8's cache is bound to the platform that made it. */
  readonly codeCache: boolean
}

/** What we use of pkg's own module; its command line cannot pass `seaConfig` in this mode, hence the deep import (the version is exact). */
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

/** Node's own names of the platforms. */
const NODE_NAMES = { linux: 'linux', win: 'win32', macos: 'darwin' } as const satisfies Record<Target['platform'], NodeJS.Platform>

/** Puts the binary where pkg keeps what it has downloaded and verified, marked as done. */
async function seed(cache: string, { target, node, nodeVersion }: SingleFileRequest): Promise<void> {
  const os = target.platform === 'win' ? 'win' : NODE_NAMES[target.platform]
  const base = join(cache, `node-v${nodeVersion}-${os}-${target.arch}`)
  const [binary, archive] = target.platform === 'win' ? [`${base}.exe`, `${base}.zip`] : [join(base, 'bin', 'node'), `${base}.tar.gz`]
  await mkdir(dirname(binary), { recursive: true })
  await rm(binary, { force: true })
  // A link is enough: pkg copies before it writes. Another file system has no links to this one.
  await link(node, binary).catch(() => copyFile(node, binary))
  for (const empty of [`${binary}.ok`, archive, `${archive}.ok`]) await writeFile(empty, '')
}

/** pkg looks for its cache below the home directory and nowhere else, so the process that calls this must have a home of its own. */
export async function singleFile(request: SingleFileRequest): Promise<void> {
  await seed(join(homedir(), '.pkg-cache', 'sea'), request)
  await rm(request.output, { force: true })
  const sea = require('@yao-pkg/pkg/lib-es5/sea.js') as PkgSea
  await sea.default(request.main, {
    targets: [
      { nodeRange: `node${request.nodeVersion}`, platform: request.target.platform, arch: request.target.arch, output: request.output },
    ],
    seaConfig: {
      disableExperimentalSEAWarning: true,
      useCodeCache: request.codeCache,
      useSnapshot: false,
      assets: request.assets,
      execArgv: nodeFlags(NODE_NAMES[request.target.platform]),
      // NODE_OPTIONS of whoever starts it must not reach into the daemon.
      execArgvExtension: 'none',
    },
  })
  if (!existsSync(request.output)) throw new Error(`pkg made no ${request.output}`)
}
