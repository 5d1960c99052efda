/** Proof key for code exchange (RFC 7636): the game keeps the verifier and sends its hash with the authorization. */
import { createHash, randomBytes } from 'node:crypto'

export interface Pkce {
  /** Secret until the exchange: 43 characters of base64url, 256 bits. */
  readonly verifier: string
  /** base64url of the verifier's SHA-256, without padding. */
  readonly challenge: string
  readonly method: 'S256'
}

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier, 'ascii').digest('base64url')

/** A new verifier and its challenge, for one authorization. */
export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: challengeOf(verifier), method: 'S256' }
}
