/** Calls that only the operator of the bridge may make. */
import { randomBytes } from 'node:crypto'
import type { SallyportClient } from '@sallyport/client'
import { createOperatorProof } from '@sallyport/core/storage/operator-proof'
import type { Context } from './command.ts'

const PROOF_BYTES = 16

/** Makes a call with the proof that this process can access the private data folder of the bridge. */
export async function asOperator<T>(client: SallyportClient, { loaded: { settings } }: Context, cmd: string, args: object): Promise<T> {
  const proof = randomBytes(PROOF_BYTES).toString('hex')
  const removeProof = createOperatorProof(settings.dataDir, proof)
  try {
    return (await client.request(cmd, { ...args, operator_proof: proof })) as T
  } finally {
    removeProof()
  }
}
