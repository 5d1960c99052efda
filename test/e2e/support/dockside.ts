/** Plays the sample game of a client against a daemon. */
import { spawn } from 'node:child_process'
import type { Command } from '../../conformance/clients/adapter.ts'
import { ended } from '../../support/ended.ts'
import { cleanEnvironment, type Daemon } from './daemon.ts'

const SHOWN = '/api/v10/users/@me/headless-sessions'
/** The last line of every sample game. */
const LAST = /Fair winds!|Dockside failed/

/** What the platform was asked to show. */
export async function shown({ origin }: Pick<Daemon, 'origin'>): Promise<readonly string[]> {
  const { requests } = (await (await fetch(`${origin}/sandbox/state`)).json()) as {
    readonly requests: readonly { readonly path: string; readonly status: number }[]
  }
  return requests.filter(({ path }) => path.startsWith(SHOWN)).map(({ path, status }) => `${path === SHOWN ? 'shown' : 'ended'} ${status}`)
}

export interface Play {
  readonly onText?: (all: string) => void
  readonly env?: NodeJS.ProcessEnv
  /** What the game prints last. */
  readonly last?: RegExp
}

/** Resolves with all that the game printed, when it has printed its last line or ended. It is then ended, because mono hangs now and then. */
export async function playDockside([program, ...words]: Command, { onText = () => {}, env = {}, last = LAST }: Play = {}): Promise<string> {
  const game = spawn(program, words, { env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const over = new Promise<void>((done) => {
    for (const stream of [game.stdout, game.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more
        onText(text)
        if (last.test(text)) done()
      })
  })
  await Promise.race([over, ended(game)])
  game.kill('SIGKILL')
  await ended(game)
  return text
}
