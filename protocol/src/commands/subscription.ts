/** Commands that subscribe and unsubscribe events. `evt` of the message is the event; the arguments are those of the event. */
import * as z from 'zod'
import { once } from '../once.ts'
import { anyArguments } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineCommand } from './define.ts'

const data = once(() => z.looseObject({ evt: z.string() }))

export const subscribe = defineCommand({
  name: 'SUBSCRIBE',
  summary:
    'Subscribe to an event. Arguments and scopes are those of the event; a repeated subscription has no effect. The response waits up to a second for the connection that brings the event.',
  handledBy: 'bridge',
  requires: NO_SCOPE,
  args: anyArguments,
  data: () =>
    data().extend({
      unserved: z
        .string()
        .optional()
        .meta({ description: 'Present if nothing brings the event now: a sentence with what could. The subscription stays.' }),
    }),
  errors: ['INVALID_EVENT'],
  provenance: 'documented',
})

export const unsubscribe = defineCommand({
  name: 'UNSUBSCRIBE',
  summary: 'Unsubscribe from an event. No effect if there is no subscription.',
  handledBy: 'bridge',
  requires: NO_SCOPE,
  args: anyArguments,
  data,
  errors: ['INVALID_EVENT'],
  provenance: 'documented',
})
