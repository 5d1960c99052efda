/** What an operator sees of the bridge at a glance, for example in the tray of the desktop. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'

const OverviewGame = once(() =>
  tolerant({
    application_id: z.string(),
    application_name: z.string().optional(),
    program: z.string().meta({ description: 'The program as text, without invisible characters.' }),
    pid: z.number().int().optional(),
    username: z.string().optional().meta({ description: 'The user it is signed in as.' }),
    activity: z.string().optional().meta({ description: 'What the user does there, in one line.' }),
    can_link: z
      .boolean()
      .meta({ description: 'Whether it can be requested to link the account: not signed in, subscribed AUTHORIZE_REQUEST.' }),
  }),
)

const OverviewPrompt = once(() =>
  tolerant({
    id: z.string(),
    title: z.string(),
    lines: z
      .array(tolerant({ label: z.string(), text: z.string() }))
      .meta({ description: 'In the order in which every display shows them.' }),
  }),
)

const OverviewGrant = once(() =>
  tolerant({
    id: z.string(),
    application_id: z.string(),
    application_name: z.string().optional(),
    username: z.string().optional(),
    program: z.string(),
  }),
)

export const BridgeOverview = once(() =>
  tolerant({
    version: z.string(),
    platform: z.string(),
    presence_paused: z.boolean().meta({ description: 'Whether the user has paused presence: no activity is shown outside.' }),
    games: z.array(OverviewGame()),
    prompts: z.array(OverviewPrompt()).meta({ description: 'Questions that wait for the user.' }),
    grants: z.array(OverviewGrant()),
    omitted: z.number().int().meta({ description: 'Games, prompts and grants that are left out because there are too many.' }),
    warnings: z.array(z.string()),
  }),
)
