/** Tokens and codes: random values, stored as hashes. */
import { createHash, randomBytes } from 'node:crypto'

/** A random value that cannot be guessed. */
export const newToken = (): string => randomBytes(30).toString('base64url')

/** The stored hash of a token, code or secret. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** Whether the text can be an S256 challenge. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

/** Whether the verifier is well formed and belongs to the S256 challenge. */
export const verifies = (verifier: string, challenge: string): boolean => VERIFIER.test(verifier) && hashOf(verifier) === challenge
