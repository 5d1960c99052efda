/** Verifies Ed25519 signatures of the platform over timestamp and raw body. Every kind of failure takes the same time. */
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'

/** The DER prefix of a raw Ed25519 public key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const SIGNATURE = /^[0-9a-f]{128}$/i
const NO_SIGNATURE = Buffer.alloc(64)

/** A public key from its 64 hexadecimal digits. */
export const publicKey = (hex: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_PREFIX, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' })

export interface SignedRequest {
  /** Both from the headers; undefined if missing. */
  readonly signature: string | undefined
  readonly timestamp: string | undefined
  readonly body: Buffer
}

/** Creates the signature check. A malformed signature and an unknown key take as long as a wrong signature. */
export function createVerifier(): (key: KeyObject | undefined, signed: SignedRequest) => boolean {
  const dummyKey = generateKeyPairSync('ed25519').publicKey
  return (key, { signature = '', timestamp = '', body }) => {
    const isFormed = SIGNATURE.test(signature)
    const bytes = isFormed ? Buffer.from(signature, 'hex') : NO_SIGNATURE
    const isRight = verify(null, Buffer.concat([Buffer.from(timestamp), body]), key ?? dummyKey, bytes)
    return isRight && isFormed && key !== undefined
  }
}
