/** Forwards commands to the desktop client unchanged. */
import type { CommandRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { DesktopClient } from '../../events/providers/desktop/desktop-client.ts'
import type { AnyHandler } from '../context.ts'

export interface DesktopClientDeps {
  /** The desktop client, for commands that it handles better than the daemon. */
  readonly desktopClient: DesktopClient
}

const embeddedOnly =
  ({ name }: CommandRow): AnyHandler =>
  () => {
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `${name} is for activities that run inside the platform's desktop client; a game on this machine cannot use it.`,
    )
  }

const forwardUnchanged =
  ({ name }: CommandRow, { desktopClient }: DesktopClientDeps): AnyHandler =>
  (args, context) =>
    context.withDeadline(({ cancelSignal }) => desktopClient.call(context.session, name, args, cancelSignal))

export const forwardToDesktopClient = (row: CommandRow, deps: DesktopClientDeps): AnyHandler =>
  row.handledBy === 'embedded' ? embeddedOnly(row) : forwardUnchanged(row, deps)
