/** Calls that only the operator of the bridge may make. */
import { randomBytes } from 'node:crypto'
import type { SallyportClient } from '@sallyport/client'
import { leaveProof } from '@sallyport/core/storage/operator-proof'
import type { Context } from './command.ts'

const PROOF_BYTES = 16

/** Calls with the proof that this process can reach the private data folder of the bridge. */
export async function asOperator<T>(client: SallyportClient, { loaded: { settings } }: Context, cmd: string, args: object): Promise<T> {
  const proof = randomBytes(PROOF_BYTES).toString('hex')
  const takeBack = leaveProof(settings.dataDir, proof)
  try {
    return (await client.request(cmd, { ...args, operator_proof: proof })) as T
  } finally {
    takeBack()
  }
}
