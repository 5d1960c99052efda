/**
 * Prints the bytes that a frame makes the bridge allocate, as JSON by command: without a record of calls and without metrics, with both while no
 * operator watches, and while one does. A process of its own, because the heap of a test runner has other work.
 */
import { getHeapStatistics } from 'node:v8'
import { Game, testBridge } from '#test/support/bridge.ts'
import { frame, OP } from '#test/support/frames.ts'

/** The least of them counts, because the compiler and timers allocate too. */
const ROUNDS = 6
/** A watched frame costs far more time. */
const WATCHED_FRAMES = 100
const WARM_UP = 3

/** One that succeeds, one that fails at once, and one that the desktop client would answer, which fails later. */
const CALLS: Readonly<Record<string, { readonly args: object; readonly frames: number }>> = {
  SET_ACTIVITY: { args: { pid: 5, activity: null }, frames: 17_000 },
  NO_SUCH_COMMAND: { args: {}, frames: 3000 },
  GET_NETWORKING_CONFIG: { args: {}, frames: 3000 },
}
const MODES = ['without', 'unwatched', 'watched'] as const
type Mode = (typeof MODES)[number]

const allocated = (): number => (getHeapStatistics() as unknown as { total_allocated_bytes: number }).total_allocated_bytes
const PROOF = 'ab'.repeat(16)

/** A game of a bridge in this mode, which sends a frame and drops what comes back. */
async function startMode(mode: Mode): Promise<Game> {
  const bridge = testBridge()
  if (mode === 'without') {
    Object.assign(bridge.meter, { called() {} })
    const calls = { watcher: undefined, failed() {}, endConnection() {} }
    Object.assign(bridge.bridge, { calls, meter: { now: () => 0, answered() {}, readEnded() {} } })
  }
  if (mode === 'watched') {
    bridge.proofs.add(PROOF)
    await Game.connected(bridge, { client_id: '99' }).ask('INSPECT_FRAMES', { operator_proof: PROOF, commands: ['NONE'] })
  }
  return Game.connected(bridge, { contract: '1.0' })
}

async function send(game: Game, bytes: Buffer, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    game.send(bytes)
    if (game.channel.writes.length === 0) for (let turn = 0; turn < 8; turn++) await Promise.resolve()
    game.channel.writes.length = 0
  }
}

async function measure(cmd: string, { args, frames }: (typeof CALLS)[string]): Promise<Record<Mode, number>> {
  const bytes = frame(OP.FRAME, { cmd, nonce: '1', args })
  const games = new Map<Mode, Game>()
  for (const mode of MODES) games.set(mode, await startMode(mode))
  const rounds: Record<Mode, number[]> = { without: [], unwatched: [], watched: [] }
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [mode, game] of games) {
      const count = mode === 'watched' ? WATCHED_FRAMES : frames
      const before = allocated()
      await send(game, bytes, count)
      if (round >= 0) rounds[mode].push((allocated() - before) / count)
    }
  return { without: Math.min(...rounds.without), unwatched: Math.min(...rounds.unwatched), watched: Math.min(...rounds.watched) }
}

const result: Record<string, Record<Mode, number>> = {}
for (const [cmd, call] of Object.entries(CALLS)) result[cmd] = await measure(cmd, call)
process.stdout.write(JSON.stringify(result))
