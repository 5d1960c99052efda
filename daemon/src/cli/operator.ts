/** Calls that only the operator of the bridge may make. */
import { randomBytes } from 'node:crypto'
import type { SallyportClient } from '@sallyport/client'
import { createOperatorProof } from '@sallyport/core/storage/operator-proof'
import type { Settings } from '../config/load.ts'

const PROOF_BYTES = 16

/** The part of a command's context that names the data folder. */
interface OnData {
  readonly loaded: { readonly settings: Pick<Settings, 'dataDir'> }
}

/** Makes a call with the proof that this process can access the private data folder of the bridge. */
export async function asOperator<T>(client: SallyportClient, { loaded: { settings } }: OnData, cmd: string, args: object): Promise<T> {
  const proof = randomBytes(PROOF_BYTES).toString('hex')
  const removeProof = createOperatorProof(settings.dataDir, proof)
  try {
    return (await client.request(cmd, { ...args, operator_proof: proof })) as T
  } finally {
    removeProof()
  }
}
