/** Inspection of the frames of games. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { InspectedCalls } from '../records/call-trace.ts'
import { InspectedFrames } from '../records/inspected-frame.ts'
import { Snowflake, text, wholeNumber } from '../schema/index.ts'
import { OperatorProof } from '../schema/operator-proof.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const inspectFrames = defineCommand({
  name: 'INSPECT_FRAMES',
  summary: 'Frames of other connections, without secrets. With operator_proof, selects them; each later call returns the next ones.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z
      .strictObject({
        operator_proof: OperatorProof().optional(),
        application_id: Snowflake().optional(),
        commands: z
          .array(text(1, LIMITS.eventNameCharacters.value))
          .min(1)
          .max(LIMITS.inspectedCommands.value)
          .optional()
          .meta({ description: 'Names of commands and events.' }),
        direction: z.enum(['in', 'out']).optional(),
        wait_ms: wholeNumber(0, LIMITS.inspectionWaitMs.value)
          .optional()
          .meta({ description: 'Time to wait for the first frame; 0 if absent.' }),
      })
      .nullish(),
  data: InspectedFrames,
  errors: ['INVALID_PERMISSIONS'],
  provenance: 'sallyport',
})

export const inspectCalls = defineCommand({
  name: 'INSPECT_CALLS',
  summary:
    'Traces of calls and events of games, without secrets: the one with an id, or the newest calls that failed and the newest events.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      operator_proof: OperatorProof(),
      id: text(1, LIMITS.callIdCharacters.value)
        .optional()
        .meta({ description: 'As in `call_id` of an error: `c12-345`; or that of an event: `e12`.' }),
      application_id: Snowflake().optional().meta({ description: 'Only calls of this application, and events for it.' }),
      all: z.boolean().optional().meta({ description: 'Also calls that succeeded, of those that are kept whole.' }),
    }),
  data: InspectedCalls,
  errors: ['INVALID_PERMISSIONS', 'INVALID_PAYLOAD'],
  provenance: 'sallyport',
})
