/** Starts a game as a detached process that outlives the daemon, without a shell and with a filtered environment. */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import { type Opener, OPENERS } from '@sallyport/core/os/openers'
import type { LaunchSpec } from './spec.ts'

/** Resolves when the process runs. Rejects with an error whose message names the reason. */
export type SpawnGame = (spec: LaunchSpec) => Promise<void>

interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
}

const spawnDetached = ({ program, args, cwd }: Program) =>
  spawn(program, args, { detached: true, stdio: 'ignore', env: childEnvironment('game'), ...(cwd === undefined ? {} : { cwd }) })

function spawnProgram(program: Program): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawnDetached(program)
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

/** True when the opener exited with code 0. */
function openUri([program, ...args]: Opener, uri: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnDetached({ program, args: [...args, uri] })
    child.unref()
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

export const spawnGame =
  (openers: readonly Opener[] = OPENERS[process.platform] ?? []): SpawnGame =>
  async (spec) => {
    if (spec.kind === 'program') return spawnProgram({ ...spec, cwd: dirname(spec.program) })
    for (const opener of openers) if (await openUri(opener, spec.uri)) return
    throw new Error(`no program opens ${spec.uri.slice(0, spec.uri.indexOf(':') + 1)} addresses`)
  }
