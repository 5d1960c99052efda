/** Handler of every endpoint row: selects the user's or the bot's token and calls the forwarder. */
import type { ResponseContext, EndpointRow } from '@sallyport/protocol'
import { isCountedRefusal, tooManyRefused } from '../../accounting/unverified-requests.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { SignedIn } from '../../sessions/session.ts'
import type { CallContext, CallDeadline } from '../context.ts'
import { touchGrantOnCall } from '../../sessions/grant-use.ts'
import type { AnyHandler } from '../router.ts'
import type { Credential } from '../../platform/api/forwarder-port.ts'
import { userCredential } from './authorization.ts'

function userCredentials(context: CallContext, call: CallDeadline): Promise<Credential> | Credential {
  const { session } = context
  const { signedIn } = session
  if (signedIn === undefined) throw new BridgeError('INVALID_PERMISSIONS', 'Sign in with AUTHORIZE and AUTHENTICATE first.')
  return signedIn.isManaged
    ? storedCredential(context, signedIn, call)
    : userCredential(session.applicationId, signedIn.userId, signedIn.accessToken)
}

async function storedCredential({ session, services }: CallContext, signedIn: SignedIn, call: CallDeadline): Promise<Credential> {
  const tokens = await services.tokenStore.current(session.account(signedIn.userId), call.cancelSignal)
  if (tokens === undefined)
    throw new BridgeError(
      'INVALID_TOKEN',
      'The stored grant does not exist any more, because the user signed out or the platform ended it. Sign in again.',
    )
  return userCredential(session.applicationId, signedIn.userId, tokens.accessToken)
}

/** The bot token of the session's application. */
async function botCredential({ session: { applicationId }, services }: CallContext, call: CallDeadline): Promise<Credential> {
  const token = await services.botTokens.of(applicationId, call)
  if (token !== undefined) return { kind: 'bot', id: `${applicationId}:bot`, token }
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    `Only the bot of application ${applicationId} may do this, and the bridge has no token for it; its operator stores one with: sallyport login --bot`,
  )
}

const BOT_TOKEN_REJECTED = {
  stored: (applicationId: string) =>
    `The platform no longer accepts the bot token of application ${applicationId}, so the bridge deleted it; its operator stores a new one with: sallyport login --bot`,
  configured: (applicationId: string) =>
    `The platform does not accept the bot token of application ${applicationId} in the bridge's settings; its operator sets another, or removes it and stores one with: sallyport login --bot`,
}

/** Rejects with advice if the platform rejected the bot token, else with `failure`. */
async function rejectBotToken(
  failure: unknown,
  credential: Credential | undefined,
  context: CallContext,
  call: CallDeadline,
): Promise<never> {
  const isRefused = failure instanceof BridgeError && failure.error === 'INVALID_TOKEN' && failure.detail.http_status === 401
  if (!isRefused || credential?.kind !== 'bot') throw failure
  const { session, services } = context
  const { applicationId } = session
  const origin = await services.botTokens.onRejected(applicationId, credential.token, call)
  if (origin === undefined) throw failure
  services.log.warn('bot-token-refused', { application: applicationId, was: origin })
  throw new BridgeError('INVALID_TOKEN', BOT_TOKEN_REJECTED[origin](applicationId), failure.detail, { cause: failure })
}

type Credentials = Promise<Credential> | Credential | undefined

const CREDENTIALS: Record<EndpointRow['auth'], (context: CallContext, call: CallDeadline) => Credentials> = {
  user: userCredentials,
  bot: botCredential,
  'user-or-bot': userCredentials,
  client: userCredentials,
  // The platform requires only the token among the arguments.
  interaction: () => undefined,
  none: () => undefined,
}

const responseContext = ({ session, services: { clock, platform } }: CallContext): ResponseContext => ({
  now: clock.now(),
  scopes: session.scopes,
  removedConnections: platform.removedConnections,
})

export const forward =
  (row: EndpointRow): AnyHandler =>
  (args, context) => {
    if (row.unavailable !== undefined)
      throw new BridgeError('SERVICE_UNAVAILABLE', `${row.unavailable.reason} (since ${row.unavailable.since})`)
    const { session, services } = context
    const waitMs = services.rejectedRequests.waitMs(session.programKey)
    if (waitMs > 0) throw tooManyRefused(waitMs)
    return context.withDeadline(async (call) => {
      const found = CREDENTIALS[row.auth](context, call)
      // Awaits only a promise, because an extra turn would slow every call.
      const credential = found instanceof Promise ? await found : found
      const { forwarder, openUpload, clock, rejectedRequests } = services
      touchGrantOnCall(session, clock.now(), services)
      const given = args as Readonly<Record<string, unknown>>
      const requestArgs = row.upload === undefined ? given : await openUpload(row.upload, given, session.connection.peer)
      let answer: unknown
      try {
        answer = await forwarder.forward(row, requestArgs, credential, call.cancelSignal, call.deadlineAt)
      } catch (failure) {
        if (isCountedRefusal(failure)) rejectedRequests.count(session.programKey)
        return rejectBotToken(failure, credential, context, call)
      }
      return row.shapeResponse === undefined ? answer : row.shapeResponse(answer, responseContext(context))
    })
  }
