/** Applications as OAuth answers show them. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import type { Application } from '@sallyport/protocol'
import { applicationOf, type Platform } from '../platform.ts'

/** The DER frame around a bare Ed25519 seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The public key, in hex, with which the application checks what the platform sends it; it follows from the sandbox's seed. */
export function verifyKey(seed: string, applicationId: string): string {
  const secret = createHash('sha256').update(`${seed}\nverify key ${applicationId}`).digest()
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' })
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
}

export function applicationView(platform: Platform, id: string): Application {
  const { name } = applicationOf(platform, id)
  return {
    id,
    name,
    icon: null,
    description: '',
    rpc_origins: ['http://127.0.0.1', 'http://localhost', 'http://[::1]'],
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: verifyKey(platform.seed, id),
  }
}
