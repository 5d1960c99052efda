/** GET_SKUS and GET_ENTITLEMENTS, with their embedded forms: from the desktop client, else from the HTTP API. */
import { type CommandName, type DataOf, ENDPOINTS, requirementOfUser } from '@sallyport/protocol'
import { requireScopes } from '../../sessions/required-scopes.ts'
import type { Session } from '../../sessions/session.ts'
import type { CallDeadline } from '../../sessions/timed-call.ts'
import type { HandlerMap } from '../context.ts'
import { clientFirst } from './client-first.ts'
import type { DesktopClientDeps } from './desktop-client.ts'
import type { ForwardDeps } from './forward.ts'

export type ShopDeps = DesktopClientDeps & ForwardDeps

export function shopHandlers(deps: ShopDeps) {
  const { api } = deps

  const skus = async (session: Session, call: CallDeadline) =>
    (await api.asSessionWithin(call, session, ENDPOINTS.LIST_SKUS, { application_id: session.applicationId })) as DataOf<'LIST_SKUS'>

  const entitlements = async (name: CommandName, session: Session, call: CallDeadline) => {
    const row = ENDPOINTS.GET_CURRENT_USER_APPLICATION_ENTITLEMENTS
    requireScopes(`Without the desktop client, ${name}`, requirementOfUser(row), session)
    return (await api.asSessionWithin(call, session, row, {
      application_id: session.applicationId,
    })) as DataOf<'GET_CURRENT_USER_APPLICATION_ENTITLEMENTS'>
  }

  return {
    GET_SKUS: clientFirst('GET_SKUS', (_args, session, call) => skus(session, call), deps),
    GET_SKUS_EMBEDDED: clientFirst('GET_SKUS_EMBEDDED', async (_args, session, call) => ({ skus: await skus(session, call) }), deps),
    GET_ENTITLEMENTS: clientFirst('GET_ENTITLEMENTS', (_args, session, call) => entitlements('GET_ENTITLEMENTS', session, call), deps),
    GET_ENTITLEMENTS_EMBEDDED: clientFirst(
      'GET_ENTITLEMENTS_EMBEDDED',
      async (_args, session, call) => ({ entitlements: await entitlements('GET_ENTITLEMENTS_EMBEDDED', session, call) }),
      deps,
    ),
  } satisfies Partial<HandlerMap>
}
