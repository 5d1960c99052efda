/** Commands that only the platform's own desktop client can carry out, and there is no link to it. */
import type { CommandRow } from '@sallyport/protocol'
import { BridgeError } from '../core/errors.ts'
import type { AnyHandler } from '../dispatch/router.ts'

export const needsDesktopClient =
  (row: CommandRow): AnyHandler =>
  () => {
    throw new BridgeError('SERVICE_UNAVAILABLE', `${row.name} needs the platform's own desktop client, and this bridge has no link to one.`)
  }
