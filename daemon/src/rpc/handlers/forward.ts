/** Every command that is an endpoint row: the caller's token, or the bot's, and the forwarder. */
import type { AnswerFacts, EndpointRow } from '@sallyport/protocol'
import { isCountedRefusal, tooManyRefused } from '../../accounting/strangers.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { SignedIn } from '../../sessions/session.ts'
import type { CallContext, PendingCall } from '../context.ts'
import { noteCall } from '../../sessions/grant-use.ts'
import type { AnyHandler } from '../router.ts'
import type { Credential } from '../../platform/api/upstream.ts'
import { userCredential } from './authorization.ts'

function ofUser(context: CallContext, call: PendingCall): Promise<Credential> | Credential {
  const { caller } = context
  const { signedIn } = caller
  if (signedIn === undefined) throw new BridgeError('INVALID_PERMISSIONS', 'Sign in with AUTHORIZE and AUTHENTICATE first.')
  return signedIn.isManaged ? ofGrant(context, signedIn, call) : userCredential(caller.applicationId, signedIn.userId, signedIn.accessToken)
}

async function ofGrant({ caller, services }: CallContext, signedIn: SignedIn, call: PendingCall): Promise<Credential> {
  const tokens = await services.keeper.current(caller.account(signedIn.userId), call.stop)
  if (tokens === undefined)
    throw new BridgeError('INVALID_TOKEN', 'The stored grant is gone: the user signed out or the platform ended it. Sign in again.')
  return userCredential(caller.applicationId, signedIn.userId, tokens.accessToken)
}

/** The bot of the caller's own application: a token of another one is as good as none. */
async function ofBot({ caller: { applicationId }, services }: CallContext, call: PendingCall): Promise<Credential> {
  const token = await services.botTokens.of(applicationId, call)
  if (token !== undefined) return { kind: 'bot', id: `${applicationId}:bot`, token }
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    `Only the bot of application ${applicationId} may do this, and no token of it is known here; whoever runs the bridge stores one with: sallyport login --bot`,
  )
}

const BOT_REFUSED = {
  stored: (applicationId: string) =>
    `The platform no longer accepts the token of the bot of application ${applicationId}, so it was forgotten; whoever runs the bridge stores a new one with: sallyport login --bot`,
  given: (applicationId: string) =>
    `The platform does not accept the token of the bot of application ${applicationId} that this run of the bridge was given; whoever runs it gives it another, or none and stores one with: sallyport login --bot`,
}

/** Rejects: with what to do when it is the token of the bot that the platform no longer takes, else as before. */
async function refusedBot(failure: unknown, credential: Credential | undefined, context: CallContext, call: PendingCall): Promise<never> {
  const isRefused = failure instanceof BridgeError && failure.error === 'INVALID_TOKEN' && failure.detail.http_status === 401
  if (!isRefused || credential?.kind !== 'bot') throw failure
  const { caller, services } = context
  const { applicationId } = caller
  const was = await services.botTokens.refused(applicationId, credential.token, call)
  if (was === undefined) throw failure
  services.log.warn('bot-token-refused', { application: applicationId, was })
  throw new BridgeError('INVALID_TOKEN', BOT_REFUSED[was](applicationId), failure.detail, { cause: failure })
}

type Credentials = Promise<Credential> | Credential | undefined

const CREDENTIALS: Record<EndpointRow['auth'], (context: CallContext, call: PendingCall) => Credentials> = {
  user: ofUser,
  bot: ofBot,
  'user-or-bot': ofUser,
  client: ofUser,
  // The token among the arguments is all that the platform asks for.
  interaction: () => undefined,
  none: () => undefined,
}

const factsOf = ({ caller, services: { clock, platform } }: CallContext): AnswerFacts => ({
  now: clock.now(),
  scopes: caller.scopes,
  removedConnections: platform.removedConnections,
})

export const forward =
  (row: EndpointRow): AnyHandler =>
  (args, context) => {
    if (row.unavailable !== undefined)
      throw new BridgeError('SERVICE_UNAVAILABLE', `${row.unavailable.reason} (since ${row.unavailable.since})`)
    const { caller, services } = context
    const waitMs = services.refusedRequests.waitMs(caller.place)
    if (waitMs > 0) throw tooManyRefused(waitMs)
    return context.wait(async (call) => {
      const found = CREDENTIALS[row.auth](context, call)
      // Only what takes time is waited for: each turn that is waited costs every call.
      const credential = found instanceof Promise ? await found : found
      const { forwarder, openUpload, clock, refusedRequests } = services
      noteCall(caller, clock.now(), services)
      const given = args as Readonly<Record<string, unknown>>
      const outgoing = row.upload === undefined ? given : await openUpload(row.upload, given, caller.channel.peer)
      let answer: unknown
      try {
        answer = await forwarder.forward(row, outgoing, credential, call.stop, call.deadlineAt)
      } catch (failure) {
        if (isCountedRefusal(failure)) refusedRequests.count(caller.place)
        return refusedBot(failure, credential, context, call)
      }
      return row.present === undefined ? answer : row.present(answer, factsOf(context))
    })
  }
