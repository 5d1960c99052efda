/** How long after the message of the gateway a game has the last of many changes of friends that came at once. */
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { Part } from '../contestants/part.ts'
import { APPLICATION, command, contractHandshake, frame, OPCODE } from '../frames.ts'
import { quietDown } from '../process-figures.ts'
import type { Bench, Line, Row } from '../row.ts'
import { median } from '../statistics.ts'
import { atMost } from '../targets.ts'

const FRIENDS = 1000
const CHANGES = 100
const TURNS = 20
const TOKEN = 'bench-access-token'
const PATIENCE_MS = 30_000
const NANOSECONDS = 1_000_000
const REST_MS = 100
const SUBSCRIBE = frame(OPCODE.FRAME, JSON.stringify({ cmd: 'SUBSCRIBE', evt: 'RELATIONSHIP_UPDATE', args: {}, nonce: 'subscribe' }))
/** The answer, and the event that follows READY. */
const FRAMES_OF_START = 2

/** Resolves with the time at which the game has so many more frames; rejects when it does not get them. */
const framesOf = (game: BenchClient, count: number): Promise<bigint> =>
  new Promise((resolve, reject) => {
    let received = 0
    game.listen((more) => {
      received += more
      if (received >= count) resolve(process.hrtime.bigint())
    }, reject)
    void pause(PATIENCE_MS, undefined, { ref: false }).then(() => reject(new Error(`the game got ${received} of ${count} frames`)))
  })

/** How long the last change of each turn took, in ms. A change that does not arrive fails the run. */
async function measured({ ground }: Bench, feed: Part): Promise<readonly number[]> {
  const server = await ground.start('packaged', { apiBase: `http://127.0.0.1:${await feed.line()}` })
  const game = await BenchClient.open(server.path, contractHandshake())
  try {
    const signedIn = (await game.ask(command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in'))) as { readonly evt: unknown }
    if (signedIn.evt !== null) throw new Error(`the daemon answered ${JSON.stringify(signedIn)}`)
    const started = framesOf(game, FRAMES_OF_START)
    game.write(SUBSCRIBE)
    await started
    await quietDown(server.pid)
    const all: number[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      const arrived = framesOf(game, CHANGES)
      const sentAt = BigInt(await feed.ask('change'))
      all.push(Number((await arrived) - sentAt) / NANOSECONDS)
      await pause(REST_MS)
    }
    return all
  } finally {
    game.close()
    await server.stop()
  }
}

export const friends: Row = {
  name: 'friends',
  async run(bench) {
    const feed = new Part('friends-feed.ts', [APPLICATION, String(FRIENDS), String(CHANGES)])
    try {
      const all = await measured(bench, feed)
      const what = `packaged, last of ${CHANGES} changes at once among 1,000 friends`
      return [
        { what: `${what}, longest of ${TURNS} turns`, unit: 'ms', sallyport: Math.max(...all), target: atMost(50, 'ms') },
        { what: `${what}, median`, unit: 'ms', sallyport: median(all), whyNoTarget: 'the longest has it' },
      ] satisfies readonly Line[]
    } finally {
      await feed.stop()
    }
  },
}
