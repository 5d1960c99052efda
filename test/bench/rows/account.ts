/** How long all other games wait while the daemon takes the READY of a gateway for an account with many relationships. */
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { Part } from '../contestants/part.ts'
import { APPLICATION, command, contractHandshake, frame, OPCODE, plainHandshake } from '../frames.ts'
import { longestWait } from '../longest-wait.ts'
import { privateMemory, quietDown } from '../process-figures.ts'
import type { Bench, Line, Row } from '../row.ts'
import { median } from '../statistics.ts'

const COUNTS = [0, 1_000, 10_000, 100_000] as const
const MOST = 100_000
const TOKEN = 'bench-access-token'
const MIB = 1024 * 1024
const PATIENCE_MS = 30_000
const SUBSCRIBE = frame(OPCODE.FRAME, JSON.stringify({ cmd: 'SUBSCRIBE', evt: 'RELATIONSHIP_UPDATE', args: {}, nonce: 'subscribe' }))
/** The answer, and the event that follows READY. */
const FRAMES = 2

interface Taken {
  readonly waitMs: number
  /** What the daemon holds after it, in MiB. */
  readonly privateMib: number
}

/** Resolves when the daemon has taken READY and what follows it. */
const subscribed = (game: BenchClient): Promise<void> =>
  new Promise((resolve, reject) => {
    let received = 0
    game.listen((count) => {
      received += count
      if (received >= FRAMES) resolve()
    }, reject)
    game.write(SUBSCRIBE)
    void pause(PATIENCE_MS, undefined, { ref: false }).then(() => reject(new Error('the gateway sent no event to the game')))
  })

async function take({ ground }: Bench, apiBase: string): Promise<Taken> {
  const server = await ground.start('packaged', { apiBase })
  const game = await BenchClient.open(server.path, contractHandshake())
  const other = await BenchClient.open(server.path, plainHandshake())
  const signedIn = (await game.ask(command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in'))) as { readonly evt: unknown }
  if (signedIn.evt !== null) throw new Error(`the daemon answered ${JSON.stringify(signedIn)}`)
  await quietDown(server.pid)
  const waitMs = await longestWait(other, () => subscribed(game))
  await quietDown(server.pid)
  const privateMib = privateMemory(server.pid) / MIB
  for (const client of [game, other]) client.close()
  await server.stop()
  return { waitMs, privateMib }
}

async function linesOf(bench: Bench, count: number): Promise<readonly Line[]> {
  const feed = new Part('account-feed.ts', [APPLICATION, String(count)])
  try {
    const apiBase = `http://127.0.0.1:${await feed.line()}`
    const all: Taken[] = []
    for (let round = 0; round < bench.effort.growthStarts; round++) all.push(await take(bench, apiBase))
    const name = count.toLocaleString('en')
    return [
      {
        what: `packaged, longest block by a READY with ${name} relationships`,
        unit: 'ms',
        sallyport: median(all.map(({ waitMs }) => waitMs)),
        point: { curve: 'Longest wait by the READY of the gateway', at: count, of: 'relationships' },
        ...(count === MOST ? { aim: 'block by a large account' } : { whyNoTarget: 'the line with the most has it' }),
      },
      {
        what: `packaged, private memory after a READY with ${name} relationships`,
        unit: 'MiB',
        sallyport: median(all.map(({ privateMib }) => privateMib)),
        point: { curve: 'Private memory after the READY of the gateway', at: count, of: 'relationships' },
        whyNoTarget: 'garbage that is not collected yet is part of it',
      },
    ]
  } finally {
    await feed.stop()
  }
}

export const account: Row = {
  name: 'account',
  async run(bench) {
    const lines: Line[] = []
    for (const count of COUNTS) lines.push(...(await linesOf(bench, count)))
    return lines
  },
}
