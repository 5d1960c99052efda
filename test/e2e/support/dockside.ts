/** Plays the sample game of a client against a daemon. */
import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import type { Command } from '../../conformance/clients/adapter.ts'
import { ended } from '#test/support/ended.ts'
import { type Call, event, type Peer, responseTo, ScriptedServer } from '#test/support/scripted-server.ts'
import { cleanEnvironment, type Daemon } from './daemon.ts'

const SHOWN = '/api/v10/users/@me/headless-sessions'
const NEVER = /$^/
/** The last line of every sample game. */
const LAST = /Fair winds!|Dockside failed/

interface Requested {
  readonly path: string
  readonly status: number
}

/** What the platform of a daemon was asked. */
export async function requestsTo({ origin }: Pick<Daemon, 'origin'>): Promise<readonly Requested[]> {
  const { requests } = (await (await fetch(`${origin}/sandbox/state`)).json()) as { readonly requests: readonly Requested[] }
  return requests
}

/** What the platform was asked to show. */
export const shown = async (daemon: Pick<Daemon, 'origin'>): Promise<readonly string[]> =>
  (await requestsTo(daemon))
    .filter(({ path }) => path.startsWith(SHOWN))
    .map(({ path, status }) => `${path === SHOWN ? 'shown' : 'ended'} ${status}`)

/** Acts once, when the game has printed `words`. `done` resolves at the end of the act. */
export function onceSaid(words: string, act: () => Promise<void>) {
  let acting: Promise<void> | undefined
  return {
    onText: (all: string): void => {
      if (all.includes(words)) acting ??= act()
    },
    done: () => acting,
  }
}

export interface Play {
  readonly onText?: (all: string) => void
  readonly env?: NodeJS.ProcessEnv
  /** What the game prints last. */
  readonly last?: RegExp
  /** Ends the game too. */
  readonly until?: Promise<unknown>
}

/** Resolves with all that the game printed, when it has printed its last line or ended. It is then ended, because mono hangs now and then. */
export async function playDockside(
  [program, ...words]: Command,
  { onText = () => {}, env = {}, last = LAST, until }: Play = {},
): Promise<string> {
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
  await Promise.race([over, ended(game), ...(until === undefined ? [] : [until])])
  game.kill('SIGKILL')
  await ended(game)
  return text
}

/** Answers subscriptions until another call comes, which is that of the sign-in; it stays without an answer. */
async function subscribed(peer: Peer): Promise<readonly string[]> {
  const events: string[] = []
  for (;;) {
    const call = await peer.message()
    if (call.cmd !== 'SUBSCRIBE') return events
    peer.write(responseTo(call, null))
    events.push(String(call.evt))
  }
}

/** What a game did at the events of friends. */
export interface Invited {
  readonly text: string
  readonly subscriptions: readonly string[]
  /** The answer to the friend who requested to join; undefined for a game that prints only. */
  readonly answer: Call | undefined
}

/** Plays a game whose server sends a join request, if the game subscribed to it, and a join. Ends when the game handled both. */
export async function playInvited(command: Command, runtime: string, joined: RegExp): Promise<Invited> {
  const server = await ScriptedServer.listen(runtime)
  try {
    let text = ''
    const handled = async (): Promise<Omit<Invited, 'text'>> => {
      const peer = await server.peer()
      await peer.ready()
      const subscriptions = await subscribed(peer)
      const isAnswering = subscriptions.includes('ACTIVITY_JOIN_REQUEST')
      if (isAnswering) peer.write(event('ACTIVITY_JOIN_REQUEST', { user: { id: '78', username: 'grace' } }))
      peer.write(event('ACTIVITY_JOIN', { secret: 'pier-9' }))
      const answer = isAnswering ? await nextOf(peer, 'SEND_ACTIVITY_JOIN_INVITE') : undefined
      await expect.poll(() => text).toMatch(joined)
      return { subscriptions, answer }
    }
    const until = handled()
    await playDockside(command, { env: { XDG_RUNTIME_DIR: runtime }, last: NEVER, until, onText: (all) => (text = all) })
    return { text, ...(await until) }
  } finally {
    await server.close()
  }
}

/** The next call of this command; others stay without an answer. */
async function nextOf(peer: Peer, command: string): Promise<Call> {
  for (;;) {
    const call = await peer.message()
    if (call.cmd === command) return call
  }
}
