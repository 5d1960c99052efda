/** Proof key for code exchange (RFC 7636), S256 only. Pure but for the randomness of a new verifier. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret } from '@sallyport/core/secret'

/** 43 characters of base64url: the minimum length of the RFC, with 256 bits of entropy. */
const VERIFIER_BYTES = 32
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

export const createVerifier = (): Secret<string> => new Secret(randomBytes(VERIFIER_BYTES).toString('base64url'))

/** base64url SHA-256 without padding. */
export const challengeOf = (verifier: Secret<string>): string => createHash('sha256').update(verifier.reveal(), 'ascii').digest('base64url')

/** Whether the text has the format of a challenge. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

/** Whether `verifier` is well formed and belongs to `challenge`. */
export function verifies(verifier: Secret<string>, challenge: string): boolean {
  if (!VERIFIER.test(verifier.reveal()) || !isChallenge(challenge)) return false
  return timingSafeEqual(Buffer.from(challengeOf(verifier)), Buffer.from(challenge))
}
