/** Commands that turn events on and off. Their arguments are those of the event, which stands beside them in the envelope. */
import * as z from 'zod'
import { anyArguments } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineCommand } from './define.ts'

const data = z.looseObject({ evt: z.string() })

export const subscribe = defineCommand({
  name: 'SUBSCRIBE',
  summary: 'Receive an event from now on. Arguments and scopes are those of the event; doing it twice changes nothing.',
  answeredBy: 'bridge',
  requires: NO_SCOPE,
  args: anyArguments,
  data,
  errors: ['INVALID_EVENT'],
  provenance: 'documented',
})

export const unsubscribe = defineCommand({
  name: 'UNSUBSCRIBE',
  summary: 'Receive an event no longer. Undoing what was never done is fine.',
  answeredBy: 'bridge',
  requires: NO_SCOPE,
  args: anyArguments,
  data,
  errors: ['INVALID_EVENT'],
  provenance: 'documented',
})
