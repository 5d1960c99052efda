/** Somebody who asks to sign in. */
import type { PageAsker } from '../../daemon/src/auth/auth.ts'

export const ASKER: PageAsker = {
  program: { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4:5' },
  pid: 77,
  applicationId: '42',
}
