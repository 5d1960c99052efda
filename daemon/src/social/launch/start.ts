/** Starts a game: a process of its own that outlives the bridge, without a shell, and with what a game needs of the bridge's environment. */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import { type Opener, OPENERS } from '@sallyport/core/os/openers'
import type { LaunchPlan } from './plan.ts'

/** Resolves when it runs. Rejects with an error whose message says why it does not. */
export type StartGame = (plan: LaunchPlan) => Promise<void>

interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
}

const begin = ({ program, args, cwd }: Program) =>
  spawn(program, args, { detached: true, stdio: 'ignore', env: childEnvironment('game'), ...(cwd === undefined ? {} : { cwd }) })

function startProgram(program: Program): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = begin(program)
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

/** True when the opener ended well. */
function open([program, ...args]: Opener, uri: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = begin({ program, args: [...args, uri] })
    child.unref()
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

export const startGame =
  (openers: readonly Opener[] = OPENERS[process.platform] ?? []): StartGame =>
  async (plan) => {
    if (plan.kind === 'program') return startProgram({ ...plan, cwd: dirname(plan.program) })
    for (const opener of openers) if (await open(opener, plan.uri)) return
    throw new Error(`no program opens ${plan.uri.slice(0, plan.uri.indexOf(':') + 1)} addresses`)
  }
