/** Commands that the platform's own desktop client carries out, handed on as the game sent them. */
import type { CommandRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { AnyHandler } from '../router.ts'

const onlyInside =
  ({ name }: CommandRow): AnyHandler =>
  () => {
    throw new BridgeError(
      'SERVICE_UNAVAILABLE',
      `${name} is for activities that run inside the platform's own desktop client; a game on this machine cannot use it.`,
    )
  }

const handedOn =
  ({ name }: CommandRow): AnyHandler =>
  (args, context) =>
    context.wait(({ stop }) => context.services.desktopClient.call(context.caller, name, args, stop))

export const byDesktopClient = (row: CommandRow): AnyHandler => (row.answeredBy === 'embedded' ? onlyInside(row) : handedOn(row))
