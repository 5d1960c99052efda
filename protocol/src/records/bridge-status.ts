/** What the bridge says of itself. */
import * as z from 'zod'
import { tolerant } from '../schema/index.ts'

const BridgeSession = tolerant({
  application_id: z.string(),
  pid: z.number().int().optional().meta({ description: 'As the operating system says.' }),
  executable: z.string().optional(),
  authenticated: z.boolean(),
})

const BridgeWarning = tolerant({
  kind: z.string().meta({ description: 'What it is about: `development_limit` or `invalid_requests`.' }),
  message: z.string(),
  ends_at: z.string().meta({ description: 'When it no longer matters; ISO 8601.' }),
})

export const BridgeStatus = tolerant({
  version: z.string(),
  contract: z.string(),
  platform: z.string().meta({ description: 'Name of the platform profile.' }),
  uptime_s: z.number(),
  pid: z.number().int(),
  ipc: z.array(z.string()).meta({ description: 'Paths of the sockets or names of the pipes.' }),
  sessions: z.array(BridgeSession),
  presences: z.number().int().meta({ description: 'Applications that show an activity now.' }),
  warnings: z.array(BridgeWarning).optional().meta({ description: 'What the platform is about to refuse.' }),
}).meta({ id: 'BridgeStatus', description: 'What the bridge says of itself.' })
export type BridgeStatus = z.output<typeof BridgeStatus>
