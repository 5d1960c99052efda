/** Makes every installer of the given executables. One whose tools are missing is left out, and named. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Target } from '../base-node.ts'
import type { Notice } from '../notices/notice.ts'
import { deb } from './deb.ts'
import type { Installer } from './installer.ts'
import { macosZip } from './macos.ts'
import { nsis } from './nsis.ts'
import { rpm } from './rpm.ts'
import { tarball } from './tarball.ts'
import { missingPackages } from './tools.ts'

export const INSTALLERS: readonly Installer[] = [deb, rpm, tarball, nsis, macosZip]

export interface InstallersRequest {
  readonly root: string
  readonly version: string
  readonly out: string
  readonly build: string
  readonly executables: ReadonlyMap<Target, string>
  /** Collects those of a target. */
  readonly noticesFor: (target: Target) => Promise<readonly Notice[]>
  /** The pipe bridge of Wine prefixes; undefined without its compiler. */
  readonly wineBridge: string | undefined
}

export interface MadeInstaller {
  readonly name: string
  /** Undefined if tools are missing. */
  readonly file?: string
  readonly ms?: number
  /** The missing packages. */
  readonly missing?: string
}

/** 1 January 2026; for a source tree without history. */
const NO_HISTORY = 1_767_225_600

/** Seconds since the epoch that stand in the archives: those of SOURCE_DATE_EPOCH, or of the last commit. */
export async function sourceTime(root: string): Promise<number> {
  const given = process.env['SOURCE_DATE_EPOCH'] ?? ''
  if (/^\d+$/.test(given)) return Number(given)
  return promisify(execFile)('git', ['log', '-1', '--format=%ct'], { cwd: root }).then(
    ({ stdout }) => Number(stdout),
    () => NO_HISTORY,
  )
}

/** Yields each installer when it is made. */
export async function* makeInstallers({
  root,
  version,
  out,
  build,
  executables,
  noticesFor,
  wineBridge,
}: InstallersRequest): AsyncGenerator<MadeInstaller> {
  const time = await sourceTime(root)
  await mkdir(out, { recursive: true })
  for (const [target, executable] of executables) {
    const notices = await noticesFor(target)
    for (const installer of INSTALLERS) {
      const name = installer.fileFor(target, version)
      if (name === undefined) continue
      const missing = await missingPackages(installer.tools)
      if (missing.length > 0) {
        yield { name, missing: missing.join(', ') }
        continue
      }
      const started = performance.now()
      const scratch = await mkdtemp(join(build, 'installer-'))
      const output = join(out, name)
      try {
        const parts = target.arch === 'x64' ? { wineBridge } : {}
        await installer.make({ root, version, target, executable, notices, ...parts, output, scratch, time })
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
      yield { name, file: output, ms: Math.round(performance.now() - started) }
    }
  }
}
