/** What the bridge says of itself. */
import * as z from 'zod'
import { tolerant } from '../schema/index.ts'

const BridgeSession = tolerant({
  application_id: z.string(),
  pid: z.number().int().optional().meta({ description: 'As the operating system says.' }),
  executable: z.string().optional(),
  origin: z.string().optional().meta({ description: 'Of a page in a browser, in place of a program.' }),
  authenticated: z.boolean(),
})

const BridgePeers = tolerant({
  state: z.enum(['held', 'unknown']).meta({
    description: 'The system names the process of each connection, which the bridge holds while the connection lasts; or it does not.',
  }),
  reason: z.string().optional().meta({ description: 'Why it does not, and what programs may not do then, as sentences.' }),
})

const BridgeWarning = tolerant({
  kind: z.string().meta({ description: 'What it is about: `development_limit` or `invalid_requests`.' }),
  message: z.string(),
  ends_at: z.string().meta({ description: 'When it no longer matters; ISO 8601.' }),
})

const BridgeWebhooks = tolerant({
  pings: z.number().int(),
  events: z.number().int().meta({ description: 'Events that were taken.' }),
  duplicates: z.number().int(),
  ignored: z.number().int().meta({ description: 'Events of a type that is not known, or that cannot be read.' }),
  refused: z.number().int().meta({ description: 'Requests with a wrong signature, or signed too long ago.' }),
})

const WayState = z.enum(['idle', 'live', 'absent', 'failing']).meta({
  description: 'Nobody wants anything of it; it carries what is wanted; who would carry it does not run on this machine; it cannot now.',
})

const BridgeSource = tolerant({
  name: z.string(),
  state: WayState,
  reason: z.string().optional().meta({ description: 'Why it is absent or fails, or what it is live without, as a sentence.' }),
  ignored: z.number().int().optional().meta({ description: 'Events that came and that nothing is known of.' }),
})

const BridgePresence = tolerant({
  bridge: tolerant({
    address: z.string().optional().meta({ description: 'Absent when no port was free.' }),
    reason: z.string().optional().meta({ description: 'Why pages that look where they are used to do not find it.' }),
    pages: z.number().int().meta({ description: 'Pages that read it now.' }),
  })
    .optional()
    .meta({ description: 'The presence websocket for web clients, when it is on.' }),
  headless_sessions: tolerant({
    state: WayState,
    reason: z.string().optional().meta({ description: 'Why the platform does not show what a game shows.' }),
  }).meta({ description: 'Presence by the HTTP API, where nothing better shows it.' }),
})

export const BridgeStatus = tolerant({
  version: z.string(),
  contract: z.string(),
  platform: z.string().meta({ description: 'Name of the platform profile.' }),
  uptime_s: z.number(),
  pid: z.number().int(),
  ipc: z.array(z.string()).meta({ description: 'Paths of the sockets or names of the pipes.' }),
  connections: z.number().int().meta({ description: 'Connections that said hello.' }),
  peers: BridgePeers.optional().meta({ description: 'What the bridge knows of the programs that connect.' }),
  sessions: z.array(BridgeSession).meta({ description: 'The connection that asks; all of them when the operator asks.' }),
  websocket: z.string().optional().meta({ description: 'Address of the websocket transport; absent when no port was free.' }),
  web_users_checked: z.boolean().optional().meta({
    description:
      'Whether programs of other users of this machine are kept out of the ports of the bridge; not every system says whose they are.',
  }),
  presence: BridgePresence.optional().meta({ description: 'How presence leaves the bridge.' }),
  presences: z.number().int().meta({ description: 'Applications that show an activity now.' }),
  webhooks: BridgeWebhooks.optional().meta({ description: 'What came from the platform to the webhook listener, when there is one.' }),
  warnings: z.array(BridgeWarning).optional().meta({ description: 'What the platform is about to refuse.' }),
  sources: z.array(BridgeSource).optional().meta({ description: 'Where events come from.' }),
}).meta({ id: 'BridgeStatus', description: 'What the bridge says of itself.' })
export type BridgeStatus = z.output<typeof BridgeStatus>
