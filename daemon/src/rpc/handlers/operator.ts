/** What only the operator of the bridge may do: the check. */
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext } from '../context.ts'

/** Throws INVALID_PERMISSIONS unless the proof was left in the private data folder. */
export function checkOperator(proof: string, { services }: CallContext): void {
  if (services.isOperator(proof)) return
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    'Only the operator of the bridge may do this: use the command line of sallyport with the --data-dir of the bridge.',
  )
}
