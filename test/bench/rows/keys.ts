/**
 * What a key adds to a call: it is stored before the request and its result after the answer. Measured in the parts of the daemon themselves, because
 * a program may keep only a thousand keys in ten minutes; the clock here is set on instead.
 */
import { systemClock } from '@sallyport/core/clock'
import { withJsonText } from '@sallyport/core/json-text'
import { Canceller } from '@sallyport/core/cancel'
import { ENDPOINTS, LIMITS } from '@sallyport/protocol'
import type { KeyedCalls, Work } from '#daemon/src/sessions/keys/keyed-calls.ts'
import { keyedCallsForTest } from '#test/support/keyed-calls.ts'
import type { Row } from '../row.ts'
import { inTurns, median } from '../statistics.ts'
import { atMost } from '../targets.ts'

const MOST_US = 80
const SIDES = ['without', 'with'] as const
type Side = (typeof SIDES)[number]

const ROW = ENDPOINTS.SEND_LOBBY_MESSAGE
const ARGS = { lobby_id: '1350184413060661332', content: 'The lighthouse is on the left.', metadata: { team: 'blue', round: '7' } }
const ANSWER = JSON.stringify({
  id: '1350184413060661999',
  content: ARGS.content,
  channel_id: ARGS.lobby_id,
  author: {
    id: '80351110224678912',
    username: 'ada',
    discriminator: '0',
    global_name: 'Ada',
    avatar: 'a_1269e74af4df7417b13759eae50c83dc',
  },
  metadata: ARGS.metadata,
  flags: 65_536,
  application_id: '1234567890123456789',
})
const work: Work = async (_limits, follower) => {
  follower.leaving()
  // The answer comes in a later turn.
  await new Promise(setImmediate)
  follower.ended('taken')
  return withJsonText(JSON.parse(ANSWER), ANSWER)
}
const NO_FOLLOWER = { leaving: () => {}, ended: () => {} }

let calls = 0

async function callWith(keyed: KeyedCalls): Promise<void> {
  const key = (++calls).toString(16).padStart(32, '0')
  const call = { key, row: ROW, args: ARGS, program: 'game', applicationId: '1', account: 'user 1', detach: () => undefined }
  await keyed.run(call, { cancelSignal: new Canceller(), deadlineAt: Number.POSITIVE_INFINITY }, work)
}

export const keys: Row = {
  name: 'keys',
  async run({ ground, effort }) {
    let shiftMs = 0
    const clock = { now: () => Date.now() + shiftMs, elapsed: systemClock.elapsed, after: systemClock.after }
    const folder = ground.folder()
    const keyed = keyedCallsForTest(clock, { folder: () => folder })
    const spend = async (side: Side, count: number): Promise<number> => {
      const before = process.cpuUsage()
      for (let made = 0; made < count; made++) {
        if (side === 'with') await callWith(keyed)
        else await work({ cancelSignal: new Canceller(), deadlineAt: 0 }, NO_FOLLOWER, ARGS)
      }
      const { user, system } = process.cpuUsage(before)
      shiftMs += LIMITS.callKeyMs.value
      return (user + system) / count
    }
    const most = LIMITS.callKeys.value
    for (let warm = 0; warm < effort.forwardedWarmCalls; warm += most) for (const side of SIDES) await spend(side, most)
    const cpu = await inTurns(SIDES, effort.rounds, (side) => spend(side, most))
    await keyed.close()
    return [
      {
        what: 'a key, CPU per call',
        unit: 'µs',
        sallyport: median(cpu.with) - median(cpu.without),
        target: atMost(MOST_US, 'µs'),
        note: 'what is stored in `calls.sqlite`: a key before the request, and the result after the answer',
      },
    ]
  },
}
