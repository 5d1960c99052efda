/** The Ed25519 key pair of each application, which signs its webhooks; derived from the sandbox's seed. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** The DER frame around a bare Ed25519 seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function signingKey(seed: string, applicationId: string): KeyObject {
  const secret = createHash('sha256').update(`${seed}\nverify key ${applicationId}`).digest()
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' })
}

/** The public key, in hex, with which the application verifies webhooks. */
export const verifyKey = (seed: string, applicationId: string): string =>
  createPublicKey(signingKey(seed, applicationId)).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
