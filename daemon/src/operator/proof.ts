/** The check for commands that only the operator of the bridge may use. */
import { BridgeError } from '@sallyport/core/errors'

export interface OperatorDeps {
  /** True once for each proof that a process with access to the private data folder created. */
  readonly redeemOperatorProof: (proof: string) => boolean
}

/** Throws INVALID_PERMISSIONS unless the proof is in the private data folder. */
export function requireOperator(proof: string, redeemOperatorProof: OperatorDeps['redeemOperatorProof']): void {
  if (redeemOperatorProof(proof)) return
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    'Only the operator of the bridge may do this: use the command line of sallyport with the --data-dir of the bridge.',
  )
}
