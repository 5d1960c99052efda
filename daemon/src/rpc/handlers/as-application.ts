/** Operations of the application itself. They carry no token, and their credentials are not verified. */
import type { EndpointRow } from '@sallyport/protocol'
import type { UnauthenticatedRequests } from '../../accounting/unauthenticated-requests.ts'
import type { CallLimits, Forwarder } from '../../platform/api/forwarder-port.ts'
import type { Session } from '../../sessions/session.ts'

export interface AsApplicationDeps {
  readonly forwarder: Pick<Forwarder, 'forward'>
  readonly unauthenticatedRequests: UnauthenticatedRequests
}

export const asApplication = (
  row: EndpointRow,
  args: Readonly<Record<string, unknown>>,
  { program }: Session,
  { cancelSignal, deadlineAt }: CallLimits,
  { forwarder, unauthenticatedRequests }: AsApplicationDeps,
): Promise<unknown> => unauthenticatedRequests.run(program, () => forwarder.forward(row, args, undefined, cancelSignal, deadlineAt))
