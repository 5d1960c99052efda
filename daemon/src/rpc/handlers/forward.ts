/** The handler of every endpoint row: calls the operation as the session. */
import type { EndpointRow } from '@sallyport/protocol'
import type { ApiClient } from '../../sessions/api-client.ts'
import type { AnyHandler } from '../context.ts'

export interface ForwardDeps {
  /** Calls operations of the platform. */
  readonly api: Pick<ApiClient, 'asSession'>
}

export const forward =
  (row: EndpointRow, { api }: ForwardDeps): AnyHandler =>
  (args, context) =>
    context.withDeadline((call) => api.asSession(context.session, row, args as Readonly<Record<string, unknown>>, call))
