/** What the bridge keeps of a call of a game. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'
import { EventTrace } from './event-trace.ts'
import { ErrorData } from './ready.ts'

const ms = (description: string) => z.number().meta({ description: `${description}, in milliseconds.` })

const TracedRequest = once(() =>
  tolerant({
    method: z.string(),
    path: z.string().meta({ description: 'With the names of parameters in place of values, and without a query.' }),
    status: z.number().int().optional().meta({ description: 'Absent when no complete reply came.' }),
    failure: z.string().optional().meta({ description: 'Why none came: unreachable, timed-out, interrupted, too-large or aborted.' }),
    reply: tolerant({
      headers: z.record(z.string(), z.string()).meta({ description: 'Those about limits.' }),
      body: z.unknown().optional().meta({ description: 'Without secrets; absent when too large or not JSON.' }),
    })
      .optional()
      .meta({ description: 'The reply if its status is 400 or more.' }),
    after_ms: ms('From the message of the game to the request'),
    ms: ms('From the request to the end of the reply'),
  }),
)

export const CallTrace = once(() =>
  tolerant({
    id: z.string().meta({ description: 'Connection number and sequence number: `c12-345`.' }),
    kept: z
      .enum(['whole', 'failure'])
      .meta({ description: '`failure`: no operator watched, so only what was known at the failure was kept.' }),
    at: z.number().int().meta({ description: 'When the call came, or failed if only its failure was kept. Milliseconds since 1970.' }),
    connection: z.number().int(),
    application_id: z.string().optional(),
    pid: z.number().int().optional().meta({ description: 'As reported by the operating system.' }),
    cmd: z.string().meta({ description: 'DISPATCH: the message named no command.' }),
    result: z.enum(['pending', 'success', 'error']),
    request: z.unknown().optional().meta({ description: 'The message of the game without secrets; absent when too large.' }),
    request_bytes: z.number().int().optional(),
    scopes: tolerant({
      required: z.array(z.array(z.string())).meta({ description: 'Alternatives; all scopes of one suffice.' }),
      missing: z.array(z.string()).meta({ description: 'Empty: the session had what the command requires.' }),
      held: z.array(z.string()).meta({ description: 'The scopes of the session.' }),
    }).optional(),
    token: tolerant({
      kind: z.enum(['user', 'bot', 'none']),
      user_id: z.string().optional(),
      reason: z.string().meta({ description: 'Why this one.' }),
    }).optional(),
    waits: z
      .array(tolerant({ on: z.string(), after_ms: ms('From the message of the game to the begin of the wait'), ms: ms('How long') }))
      .optional(),
    requests: z.array(TracedRequest()).optional().meta({ description: 'Each HTTP request to the platform, with repeats.' }),
    response: z.unknown().optional().meta({ description: 'The data of the response without secrets; absent when too large.' }),
    response_bytes: z.number().int().optional(),
    error: ErrorData().optional(),
    ms: ms('From the message to the response').optional(),
  }).meta({ id: 'CallTrace', description: 'A call of a game, explained.' }),
)
export type CallTrace = z.output<ReturnType<typeof CallTrace>>

export const InspectedCalls = once(() =>
  tolerant({
    calls: z.array(CallTrace()).meta({ description: 'Newest first.' }),
    events: z.array(EventTrace()).meta({ description: 'Newest first. Made only while an operator inspects.' }),
  }),
)
