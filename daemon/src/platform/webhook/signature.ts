/** Whether bytes were signed by a platform: Ed25519 over the timestamp and the body as it came, with the same work whatever is wrong. */
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'

/** The DER frame around a bare Ed25519 public key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const SIGNATURE = /^[0-9a-f]{128}$/i
const NO_SIGNATURE = Buffer.alloc(64)

/** A key from its 64 hexadecimal digits. */
export const publicKey = (hex: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_PREFIX, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' })

export interface Signed {
  /** Both as the headers have them; undefined when they are missing. */
  readonly signature: string | undefined
  readonly timestamp: string | undefined
  readonly body: Buffer
}

/** Checks signatures. A signature that cannot be one, and a key that is not known, cost what a wrong signature costs. */
export function createVerifier(): (key: KeyObject | undefined, signed: Signed) => boolean {
  const nobodys = generateKeyPairSync('ed25519').publicKey
  return (key, { signature = '', timestamp = '', body }) => {
    const isFormed = SIGNATURE.test(signature)
    const bytes = isFormed ? Buffer.from(signature, 'hex') : NO_SIGNATURE
    const isRight = verify(null, Buffer.concat([Buffer.from(timestamp), body]), key ?? nobodys, bytes)
    return isRight && isFormed && key !== undefined
  }
}
