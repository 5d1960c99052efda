/** Every command that is an endpoint row: the caller's token, or the bot's, and the forwarder. */
import type { EndpointRow } from '@sallyport/protocol'
import { BridgeError } from '../core/errors.ts'
import type { CallContext, PendingCall } from '../dispatch/context.ts'
import type { AnyHandler } from '../dispatch/router.ts'
import type { Credential } from '../upstream/upstream.ts'
import { userCredential } from './authorization.ts'

async function ofUser(context: CallContext, call: PendingCall): Promise<Credential> {
  const { caller, services } = context
  const { signedIn } = caller
  if (signedIn === undefined) throw new BridgeError('INVALID_PERMISSIONS', 'Sign in with AUTHORIZE and AUTHENTICATE first.')
  if (!signedIn.isManaged) return userCredential(caller.applicationId, signedIn.userId, signedIn.accessToken)
  const tokens = await services.keeper.current(caller.holder, call.signal)
  if (tokens === undefined)
    throw new BridgeError('INVALID_TOKEN', 'The stored grant is gone: the user signed out or the platform ended it. Sign in again.')
  return userCredential(caller.applicationId, signedIn.userId, tokens.accessToken)
}

function ofBot({ caller, services }: CallContext): Credential {
  if (services.botToken === undefined) {
    throw new BridgeError(
      'INVALID_PERMISSIONS',
      "Only the application's bot may do this, and no bot token is set; whoever runs the daemon sets SALLYPORT_BOT_TOKEN.",
    )
  }
  return { kind: 'bot', id: `${caller.applicationId}:bot`, token: services.botToken }
}

const credentialFor = (row: EndpointRow, context: CallContext, call: PendingCall): Promise<Credential> | Credential =>
  row.auth === 'bot' ? ofBot(context) : ofUser(context, call)

export const forward =
  (row: EndpointRow): AnyHandler =>
  (args, context) => {
    if (row.unavailable !== undefined)
      throw new BridgeError('SERVICE_UNAVAILABLE', `${row.unavailable.reason} (since ${row.unavailable.since})`)
    return context.wait(async (call) => {
      const credential = await credentialFor(row, context, call)
      return context.services.forwarder.forward(row, args as Readonly<Record<string, unknown>>, credential, call.signal, call.deadlineAt)
    })
  }
