/** Forwards commands to the desktop client unchanged. */
import type { CommandRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { AnyHandler } from '../router.ts'

const embeddedOnly =
  ({ name }: CommandRow): AnyHandler =>
  () => {
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `${name} is for activities that run inside the platform's desktop client; a game on this machine cannot use it.`,
    )
  }

const forwardUnchanged =
  ({ name }: CommandRow): AnyHandler =>
  (args, context) =>
    context.withDeadline(({ cancelSignal }) => context.services.desktopClient.call(context.session, name, args, cancelSignal))

export const forwardToDesktopClient = (row: CommandRow): AnyHandler =>
  row.handledBy === 'embedded' ? embeddedOnly(row) : forwardUnchanged(row)
