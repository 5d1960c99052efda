/** A real ApiClient with its Credentials, between fake tokens and a fake platform. */
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { Credentials, type CredentialsDeps } from '#daemon/src/auth/credentials.ts'
import type { Forwarder } from '#daemon/src/platform/api/forwarder-port.ts'
import { ApiClient } from '#daemon/src/sessions/api-client.ts'
import type { FakeClock } from './fake-clock.ts'
import { RecordingLog } from './recording-log.ts'

export interface ApiClientParts extends Omit<CredentialsDeps, 'log'> {
  readonly clock: FakeClock
  readonly forwarder: Pick<Forwarder, 'forward'>
}

export function apiClient({ clock, forwarder, ...tokens }: ApiClientParts) {
  const log = new RecordingLog()
  const credentials = new Credentials({ ...tokens, log })
  /** When each grant was touched. */
  const touched: string[] = []
  const api = new ApiClient({
    clock,
    log,
    credentials,
    botConsent: { isAllowed: ({ signedIn }) => signedIn !== undefined, obtain: async () => {} },
    forwarder,
    authenticatedFailures: new Accounting(clock).window('authenticatedFailures'),
    grants: { touch: ({ userId }) => void touched.push(userId) },
    removedConnections: { a: [], b: [] },
    uploads: { open: () => Promise.reject(new Error('no upload')) },
  })
  return { api, credentials, log, touched }
}
