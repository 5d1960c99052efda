/** Status of the bridge. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'

const BridgeSession = once(() =>
  tolerant({
    application_id: z.string(),
    pid: z.number().int().optional().meta({ description: 'As reported by the operating system.' }),
    executable: z.string().optional(),
    origin: z.string().optional().meta({ description: 'Origin of a page in a browser; replaces the program.' }),
    authenticated: z.boolean(),
  }),
)

const BridgePeers = once(() =>
  tolerant({
    state: z.enum(['held', 'unknown']).meta({
      description: 'Whether the operating system identifies the process of each connection for its whole lifetime.',
    }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'Sentences: why processes are not identified, and what programs cannot do because of it.' }),
  }),
)

const BridgeWarning = once(() =>
  tolerant({
    kind: z.string().meta({ description: '`development_limit` or `invalid_requests`.' }),
    message: z.string(),
    ends_at: z.string().meta({ description: 'When the warning expires; ISO 8601.' }),
  }),
)

const BridgeWebhooks = once(() =>
  tolerant({
    pings: z.number().int(),
    events: z.number().int().meta({ description: 'Accepted events.' }),
    duplicates: z.number().int(),
    ignored: z.number().int().meta({ description: 'Events of an unknown type, or with invalid data.' }),
    refused: z.number().int().meta({ description: 'Requests with an invalid or outdated signature.' }),
  }),
)

const ProviderState = once(() =>
  z.enum(['idle', 'active', 'unavailable', 'failing']).meta({
    description: 'idle: no demand; active: in use; unavailable: the provider does not run on this machine; failing: it does not work now.',
  }),
)

const BridgeProvider = once(() =>
  tolerant({
    name: z.string(),
    state: ProviderState(),
    reason: z
      .string()
      .optional()
      .meta({ description: 'A sentence: why the provider is unavailable or failing, or what it works without.' }),
    ignored: z.number().int().optional().meta({ description: 'Received events of an unknown type.' }),
  }),
)

const BridgePresence = once(() =>
  tolerant({
    bridge: tolerant({
      address: z.string().optional().meta({ description: 'Absent if no port was free.' }),
      reason: z.string().optional().meta({ description: 'Why pages do not find it on the default port.' }),
      pages: z.number().int().meta({ description: 'Connected pages.' }),
    })
      .optional()
      .meta({ description: 'The presence feed (websocket) for web clients, if enabled.' }),
    headless_sessions: tolerant({
      state: ProviderState(),
      reason: z.string().optional().meta({ description: 'Why the platform does not show the presence.' }),
    }).meta({ description: 'Presence via the HTTP API; used if no better presence channel is available.' }),
  }),
)

export const BridgeStatus = once(() =>
  tolerant({
    version: z.string(),
    contract: z.string(),
    platform: z.string().meta({ description: 'Name of the platform profile.' }),
    uptime_s: z.number(),
    pid: z.number().int(),
    ipc: z.array(z.string()).meta({ description: 'Paths of the sockets or names of the pipes.' }),
    connections: z.number().int().meta({ description: 'Connections with a completed handshake.' }),
    peers: BridgePeers().optional().meta({ description: 'How the bridge identifies connecting programs.' }),
    sessions: z.array(BridgeSession()).meta({ description: 'The calling connection; all connections if the operator calls.' }),
    websocket: z.string().optional().meta({ description: 'URL of the websocket transport; absent if no port was free.' }),
    web_users_checked: z.boolean().optional().meta({
      description: 'Whether the ports of the bridge reject programs of other operating system users; not every system identifies the user.',
    }),
    presence: BridgePresence().optional().meta({ description: 'Outbound presence.' }),
    presences: z.number().int().meta({ description: 'Applications with a current activity.' }),
    webhooks: BridgeWebhooks().optional().meta({
      description: 'Events that the webhook listener received from the platform, if it is enabled.',
    }),
    warnings: z.array(BridgeWarning()).optional().meta({ description: 'Limits of the platform that are almost reached.' }),
    sources: z.array(BridgeProvider()).optional().meta({ description: 'Event providers.' }),
  }).meta({ id: 'BridgeStatus', description: 'Status of the bridge.' }),
)
export type BridgeStatus = z.output<ReturnType<typeof BridgeStatus>>
