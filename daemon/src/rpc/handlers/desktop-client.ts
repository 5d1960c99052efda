/** Forwards commands to the desktop client unchanged. */
import type { CommandRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { DesktopClient } from '../../events/providers/desktop/desktop-client.ts'
import type { AnyHandler } from '../context.ts'

export interface DesktopClientDeps {
  /** The desktop client, for commands that it handles better than the daemon. */
  readonly desktopClient: DesktopClient
}

/** The row says why, and what the activity can do instead. */
const refuse =
  ({ name, refusal = "It needs the platform's client." }: CommandRow): AnyHandler =>
  () => {
    throw new BridgeError('SERVICE_UNAVAILABLE', `${name} is not available here. ${refusal}`)
  }

const forwardUnchanged =
  ({ name }: CommandRow, { desktopClient }: DesktopClientDeps): AnyHandler =>
  (args, context) =>
    context.withDeadline(({ cancelSignal }) => desktopClient.call(context.session, name, args, cancelSignal))

export const forwardToDesktopClient = (row: CommandRow, deps: DesktopClientDeps): AnyHandler =>
  row.handledBy === 'embedded' ? refuse(row) : forwardUnchanged(row, deps)
