/** What the bridge keeps of an event while an operator inspects. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'

const receiver = () => ({
  connection: z.number().int(),
  application_id: z.string().optional(),
})

export const EventTrace = once(() =>
  tolerant({
    id: z.string().meta({ description: 'Number of the event since an operator first inspected: `e12`.' }),
    at: z.number().int().meta({ description: 'When a provider brought the event. Milliseconds since 1970.' }),
    event: z.string(),
    args: z.unknown().meta({ description: 'Arguments of the subscriptions that the event matches.' }),
    origin: z.string().meta({
      description: 'Who brought it: `bot:APPLICATION` or `user:APPLICATION:USER` for a gateway, `desktop-client`, `webhook`, or `bridge`.',
    }),
    data: z.unknown().optional().meta({ description: 'Without secrets; absent when too large.' }),
    delivered: z.number().int().meta({ description: 'Connections that got it.' }),
    to: z.array(tolerant(receiver())).meta({ description: 'The first 64 of them.' }),
    withheld: z.array(tolerant({ ...receiver(), reason: z.enum(['copy', 'scopes', 'unchanged']) })).meta({
      description: 'The first 64 subscribers that did not get it: another origin had brought it; a scope is missing; they have this value.',
    }),
  }).meta({ id: 'EventTrace', description: 'An event, from the provider to each subscriber.' }),
)
export type EventTrace = z.output<ReturnType<typeof EventTrace>>
