/** AUTHORIZE asks the user what the game may do. */
import { DEFAULT_COMMUNICATION_SCOPES, LIMITS, type ParsedArgsOf } from '@sallyport/protocol'
import { BridgeError } from '../core/errors.ts'
import type { CallContext, Handler } from '../dispatch/context.ts'

/** The application id of a call: its own or none. Throws INVALID_CLIENTID for any other. */
export function ownApplication(named: string | undefined, { caller }: CallContext): string {
  if (named === undefined || named === caller.applicationId) return caller.applicationId
  throw new BridgeError('INVALID_CLIENTID', `The application id ${named} is not the one of this connection, ${caller.applicationId}.`)
}

/** Scopes come as a list under either key, or as text with spaces. */
function requestedScopes(args: ParsedArgsOf<'AUTHORIZE'>): readonly string[] {
  const asked = args.scopes ?? args.scope ?? []
  const list = typeof asked === 'string' ? asked.split(/\s+/).filter(Boolean) : asked
  return list.length > 0 ? [...new Set(list)] : DEFAULT_COMMUNICATION_SCOPES
}

/** The authorizer's own end comes first, since it says more. */
const GRACE_MS = 5_000

/** Arguments that only the platform's own client can honour: refused, since a game that passes one relies on it. */
const NOT_CARRIED = ['custom_scheme', 'rpc_token'] as const

export const authorize: Handler<'AUTHORIZE'> = (args, context) => {
  const refused = NOT_CARRIED.find((name) => args[name] != null)
  if (refused !== undefined)
    throw new BridgeError('SERVICE_UNAVAILABLE', `This bridge does not carry "${refused}" yet; leave it out.`, { path: refused })
  const applicationId = ownApplication(args.client_id ?? undefined, context)
  const request = {
    applicationId,
    scopes: requestedScopes(args),
    ...(args.code_challenge == null ? {} : { codeChallenge: args.code_challenge }),
    ...(args.state == null ? {} : { state: args.state }),
    ...(args.nonce == null ? {} : { nonce: args.nonce }),
    ...(args.prompt == null ? {} : { prompt: args.prompt }),
    ...(args.integration_type == null ? {} : { integrationType: args.integration_type }),
  }
  return context.wait(async ({ signal }) => {
    const answer = await context.services.authorizer.authorize(request, signal)
    return { code: answer.code.reveal(), redirect_uri: answer.redirectUri }
  }, LIMITS.authorizationMs.value + GRACE_MS)
}
