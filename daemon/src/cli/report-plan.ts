/** What it takes to make a call of a report fail once more: the sign-in of its game, its message, and what the platform replied. Pure. */
import { CLIENT_KINDS, type CallTrace } from '@sallyport/protocol'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { isMessage, type Guard, type Message, withoutUnknown } from './replay-plan.ts'

export type Leg = NonNullable<CallTrace['requests']>[number]

export interface ReportedCall {
  readonly handshake: Message
  /** The scopes of its sign-in; undefined: it had none. */
  readonly scopes: readonly string[] | undefined
  readonly message: Message
  /** The frame that answered it. */
  readonly recorded: Message
  readonly legs: readonly Leg[]
}

const FIRST_ERROR = 400
const PSEUDO_SCOPES: ReadonlySet<string> = new Set(['rpc.authenticated', ...Object.values(CLIENT_KINDS).flatMap(({ holds }) => holds)])

/** Why a call cannot be played, by what the report lacks: the rest of a sentence. */
const OBSTACLES: readonly (readonly [why: string, isMet: (call: CallTrace) => boolean])[] = [
  ['of which only the failure was kept', ({ kept }) => kept === 'failure'],
  ['which had not failed', ({ error }) => error === undefined],
  ['whose message was too large to keep', ({ request }) => !isMessage(request)],
  ['which acts for a bot, whose token a report does not have', ({ token }) => token?.kind === 'bot'],
  [
    'which needs replies of the platform that a report does not have',
    ({ requests = [] }) => requests.some(({ status }) => status !== undefined && status < FIRST_ERROR),
  ],
  [
    'which was not sent, because earlier calls had reached a limit',
    ({ requests = [], error }) => requests.length === 0 && error?.retry_after !== undefined,
  ],
]

/** The call, or why it cannot be played. */
export function planOf(call: CallTrace, guard: Guard): ReportedCall | string {
  const obstacle = OBSTACLES.find(([, isMet]) => isMet(call))?.[0]
  if (obstacle !== undefined) return obstacle
  const { id, at, connection, cmd, error, scopes, token, requests = [], application_id: application = '1' } = call
  const { args, evt } = call.request as Message
  const message = {
    cmd,
    nonce: id,
    ...(args === undefined ? {} : { args: withVerifier(withoutUnknown(args)) }),
    ...(evt === undefined ? {} : { evt }),
  }
  const refused = guard({ at, connection, direction: 'in', opcode: 'FRAME', bytes: 0, message })
  if (refused !== undefined) return refused
  const held = scopes?.held.filter((scope) => !PSEUDO_SCOPES.has(scope)) ?? []
  const isSignedIn = scopes?.held.includes('rpc.authenticated') === true || token?.kind === 'user'
  return {
    // Only a game that names a contract learns the id of its call.
    handshake: { v: 1, client_id: application, ...(error?.call_id === undefined ? {} : { contract: CONTRACT_VERSION, streams: true }) },
    scopes: isSignedIn ? held : undefined,
    message,
    recorded: { cmd, nonce: id, evt: 'ERROR', data: error },
    legs: requests,
  }
}

const VERIFIER_CHARACTERS = 43

/** Where the report has a marker, any text of the right form serves: the platform's replies are recorded. */
function withVerifier(args: unknown): unknown {
  return isMessage(args) && typeof args['code_verifier'] === 'string' ? { ...args, code_verifier: 'v'.repeat(VERIFIER_CHARACTERS) } : args
}
