/** Privileged intents: eligibility below and above the user threshold, and the duration of an approval. */
import { hasPrivilegedIntent, PRIVILEGED_INTENTS, type PrivilegedIntentName } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const NOW = Date.UTC(2026, 6, 1)
const DAY = 86_400_000
const names = Object.keys(PRIVILEGED_INTENTS) as PrivilegedIntentName[]

describe.each(names)('%s', (name) => {
  const { limitedFlag, approvedFlag } = PRIVILEGED_INTENTS[name]

  it('is enabled by its own flag only below 10,000 users', { tags: ['5-34', '8-19'] }, () => {
    expect(hasPrivilegedIntent(name, { flags: limitedFlag, users: 9999 }, NOW)).toBe(true)
    expect(hasPrivilegedIntent(name, { flags: limitedFlag, users: 10_000 }, NOW)).toBe(false)
    expect(hasPrivilegedIntent(name, { flags: 0, users: 1 }, NOW)).toBe(false)
    const others = names.filter((other) => other !== name).reduce((sum, other) => sum | PRIVILEGED_INTENTS[other].limitedFlag, 0)
    expect(hasPrivilegedIntent(name, { flags: others, users: 1 }, NOW)).toBe(false)
  })

  it('is enabled by approval for a year', { tags: ['5-35'] }, () => {
    const standing = { flags: approvedFlag, users: 5_000_000, approvedAt: NOW - 365 * DAY }
    expect(hasPrivilegedIntent(name, standing, NOW - 1)).toBe(true)
    expect(hasPrivilegedIntent(name, standing, NOW)).toBe(false)
    expect(hasPrivilegedIntent(name, { flags: approvedFlag, users: 1 }, NOW)).toBe(false)
  })
})
