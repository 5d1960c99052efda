/** Starts a game that outlives the daemon, without a shell and with a filtered environment: as a detached process, or in a unit of its own. */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import { type Opener, OPENERS } from '@sallyport/core/os/openers'
import { inOwnUnit, needsOwnUnit } from '@sallyport/core/os/own-unit'
import type { LaunchSpec } from './spec.ts'

/** Resolves when the process runs. Rejects with an error whose message names the reason. */
export type SpawnGame = (spec: LaunchSpec) => Promise<void>

interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
}

/** `isAwaited`: see inOwnUnit. */
function spawnDetached({ program, args, cwd }: Program, isAwaited: boolean) {
  const env = childEnvironment('game')
  const isOutside = needsOwnUnit()
  const command = isOutside ? inOwnUnit({ program, args }, { variables: Object.keys(env), cwd, isAwaited }) : { program, args }
  const child = spawn(command.program, command.args, { detached: true, stdio: 'ignore', env, ...(cwd === undefined ? {} : { cwd }) })
  return { child, isOutside }
}

function spawnProgram(program: Program): Promise<void> {
  return new Promise((resolve, reject) => {
    const { child, isOutside } = spawnDetached(program, false)
    child.once('error', reject)
    // The user's systemd reports whether the program runs.
    if (isOutside) child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('systemd could not start it'))))
    else {
      child.once('spawn', resolve)
      child.unref()
    }
  })
}

/** True when the opener exited with code 0. */
function openUri([program, ...args]: Opener, uri: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { child } = spawnDetached({ program, args: [...args, uri] }, true)
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
