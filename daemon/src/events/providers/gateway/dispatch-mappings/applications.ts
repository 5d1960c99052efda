/** The mapping for interactions with the application, which the platform sends to its bot. */
import type { DispatchMapping } from './dispatch-mapping.ts'

/** The platform sends them without any intent. */
const NONE = 0

export const APPLICATION_MAPPINGS: readonly DispatchMapping[] = [
  {
    event: 'INTERACTION_CREATE',
    intents: NONE,
    from: {
      INTERACTION_CREATE: ({ d, identity }) =>
        identity.kind === 'bot' && d['application_id'] === identity.applicationId ? { data: d } : undefined,
    },
  },
]
