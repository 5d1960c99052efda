import type { Grant } from '#daemon/src/auth/grants/grant.ts'

export const sampleGrant = (id: string, over: Partial<Grant> = {}): Grant => ({
  id,
  platform: 'test',
  applicationId: '7',
  applicationName: 'Dockside',
  userId: '12345678901234567890',
  username: 'ada',
  program: {
    kind: 'native',
    uid: 1000,
    executable: '/games/one',
    file: '66306:123:456:1700000000000000001:1700000000000000002',
    digest: 'ab'.repeat(32),
  },
  basis: 'allowed',
  scopes: ['identify', 'guilds'],
  deniedScopes: [],
  presence: 'shown',
  lasts: 'kept',
  grantedAt: 1_800_000_000_001,
  lastUsedAt: 1_800_000_000_002,
  ...over,
})
