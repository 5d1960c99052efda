/** The error of a program that the user blocked. */
import { BridgeError } from '@sallyport/core/errors'

export const blockedProgram = (): BridgeError =>
  new BridgeError(
    'INVALID_PERMISSIONS',
    'The user blocked this program. The user sees the block with `sallyport grants`, and lifts it with `sallyport grants revoke ID`.',
  )
