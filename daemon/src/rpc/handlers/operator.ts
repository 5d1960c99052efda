/** The check for commands that only the operator of the bridge may use. */
import { BridgeError } from '@sallyport/core/errors'
import type { CallContext } from '../context.ts'

/** Throws INVALID_PERMISSIONS unless the proof is in the private data folder. */
export function requireOperator(proof: string, { services }: CallContext): void {
  if (services.redeemOperatorProof(proof)) return
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    'Only the operator of the bridge may do this: use the command line of sallyport with the --data-dir of the bridge.',
  )
}
