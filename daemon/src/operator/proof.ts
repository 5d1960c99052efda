/** The check for commands that only the operator of the bridge may use. */
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '../identity/program.ts'

export interface OperatorDeps {
  /** True once for each proof that a process with access to the private data folder created. */
  readonly redeemOperatorProof: (proof: string) => boolean
}

/**
 * Any program can start the command line, also one that a prompt is about. Throws INVALID_PERMISSIONS for a command line that no user typed; other
 * programs have brought the proof themselves.
 */
export function requireUser({ session, isTyped }: Pick<Program, 'session' | 'isTyped'>): void {
  if (session === undefined || isTyped === true) return
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    'The command line allows a prompt only where a user typed it in a terminal that the bridge knows, on Linux. Allow it in the tray, in the notification, or on the dashboard: sallyport open',
  )
}

/** Throws INVALID_PERMISSIONS unless the proof is in the private data folder. */
export function requireOperator(proof: string, redeemOperatorProof: OperatorDeps['redeemOperatorProof']): void {
  if (redeemOperatorProof(proof)) return
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    'Only the operator of the bridge may do this: use the command line of sallyport with the --data-dir of the bridge.',
  )
}
