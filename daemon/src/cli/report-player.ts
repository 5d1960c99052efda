/** Makes each call of a report fail once more, in a bridge of its own, and compares the errors. */
import type { CallTrace } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'
import { toDisplayName } from '@sallyport/core/display-text'
import { FewList } from './few-list.ts'
import { compare, type Difference, IdPairs } from './replay-compare.ts'
import type { ReplayConnection } from './replay-connection.ts'
import { type Guard, isMessage, type Message } from './replay-plan.ts'
import type { FrameDifference, Replayed } from './replay-player.ts'
import { type Leg, planOf, type ReportedCall } from './report-plan.ts'
import { ReportPlatform } from './report-platform.ts'

/** Longer than the deadline of a call. */
const RESPONSE_MS = 35_000
const MAX_REPORTED = 1000
const SIGN_IN = 'sign-in'

/** A bridge of one call. */
interface Bridge extends AsyncDisposable {
  connect(): Promise<ReplayConnection>
}

interface ReportParts {
  readonly start: (platform: ReportPlatform) => Promise<Bridge>
  readonly guard: Guard
}

/** What the platform says of the token of the sign-in. */
const signInLeg = (application: unknown, scopes: readonly string[]): Leg => ({
  method: 'GET',
  path: '/oauth2/@me',
  status: 200,
  reply: {
    headers: {},
    body: {
      application: { id: application, name: 'Reported', icon: null, description: '' },
      scopes,
      expires: new Date(Date.now() + RESPONSE_MS).toISOString(),
      user: { id: '1', username: 'reported', discriminator: '0', avatar: null, global_name: null },
    },
  },
  after_ms: 0,
  ms: 0,
})

async function responseTo(connection: ReplayConnection, message: Message): Promise<Message | undefined> {
  connection.send(OPCODES.FRAME, message)
  const isResponse = (found: unknown): boolean => isMessage(found) && found['nonce'] === message['nonce']
  const response = await connection.next((frame) => frame.opcode === OPCODES.CLOSE || isResponse(frame.message), RESPONSE_MS)
  return isMessage(response?.message) ? response.message : undefined
}

async function signIn(connection: ReplayConnection, { handshake, scopes }: ReportedCall, platform: ReportPlatform): Promise<void> {
  if (scopes === undefined) return
  platform.expect([signInLeg(handshake['client_id'], scopes)])
  await responseTo(connection, { cmd: 'AUTHENTICATE', nonce: SIGN_IN, args: { access_token: SIGN_IN } })
}

const briefly = ({ method, path, status, failure }: Leg): string => `${method} ${path} → ${status ?? failure ?? 'failed'}`

/** A request that the trace has, and that was not sent now. */
const missed = (legs: readonly Leg[]): readonly Difference[] =>
  legs.map((leg) => ({ path: 'HTTP', recorded: briefly(leg), now: undefined }))

async function differencesOf(call: ReportedCall, { start }: ReportParts): Promise<readonly Difference[]> {
  const platform = new ReportPlatform()
  await using bridge = await start(platform)
  const connection = await bridge.connect()
  try {
    connection.send(OPCODES.HANDSHAKE, call.handshake)
    await signIn(connection, call, platform)
    platform.expect(call.legs)
    const now = await responseTo(connection, call.message)
    return [...compare(call.recorded, now, call.message['args'], new IdPairs()), ...missed(platform.rest)]
  } finally {
    await connection.close()
  }
}

/** In the order in which they came. */
export async function playReport(calls: readonly CallTrace[], parts: ReportParts): Promise<Replayed> {
  const skipped = new FewList<string>(MAX_REPORTED)
  const differing = new FewList<FrameDifference>(MAX_REPORTED)
  let compared = 0
  for (const call of calls) {
    const name = `${toDisplayName(call.cmd)} (${toDisplayName(call.id)})`
    const plan = planOf(call, parts.guard)
    if (typeof plan === 'string') {
      skipped.add(`${name}, ${plan}`)
      continue
    }
    compared++
    const differences = await differencesOf(plan, parts)
    if (differences.length > 0) differing.add({ frame: name, differences })
  }
  return { compared, skipped, differing }
}
