/** Connection types that the sandbox removed. The second provider has no public name, so the sandbox defines one. */
import { REMOVED_CONNECTIONS, type RemovedConnections } from '@sallyport/protocol'

export const SANDBOX_PROVIDER_B = 'sandbox-provider-b'

export const SANDBOX_REMOVED_CONNECTIONS: RemovedConnections = { ...REMOVED_CONNECTIONS, b: [SANDBOX_PROVIDER_B] }
