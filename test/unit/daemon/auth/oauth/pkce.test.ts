import { describe, expect, it } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { challengeOf, createVerifier, isChallenge, verifies } from '#daemon/src/auth/oauth/pkce.ts'

// The example of RFC 7636, appendix B.
const VERIFIER = new Secret('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('pkce', () => {
  it('computes the challenge of the standard', () => {
    expect(challengeOf(VERIFIER)).toBe(CHALLENGE)
  })

  it('makes verifiers that are well formed, different, and fit their own challenge', { tags: ['4.3-3'] }, () => {
    const [one, two] = [createVerifier(), createVerifier()]
    expect(one.reveal()).toMatch(/^[A-Za-z0-9\-._~]{43,128}$/)
    expect(one.reveal()).not.toBe(two.reveal())
    expect(verifies(one, challengeOf(one))).toBe(true)
    expect(verifies(one, challengeOf(two))).toBe(false)
  })

  it.each(['', 'short', `${'a'.repeat(42)}!`, 'a'.repeat(129)])('refuses the verifier %j even when its challenge fits', (text) => {
    const verifier = new Secret(text)
    expect(verifies(verifier, challengeOf(verifier))).toBe(false)
  })

  it.each(['', `${CHALLENGE}=`, CHALLENGE.slice(1), CHALLENGE.replace('9', '+')])('does not take %j for a challenge', (text) => {
    expect(isChallenge(text)).toBe(false)
    expect(verifies(VERIFIER, text)).toBe(false)
  })
})
