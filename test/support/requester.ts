/** A program that requests a sign-in. */
import type { PageRequester } from '#daemon/src/auth/auth.ts'

export const REQUESTER: PageRequester = {
  program: { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4:5' },
  pid: 77,
  applicationId: '42',
}
