/** Frames as an operator inspects them. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'

const InspectedFrame = once(() =>
  tolerant({
    at: z.number().int().meta({ description: 'Milliseconds since 1970.' }),
    connection: z.number().int().meta({ description: 'Number of the connection, counted since the start of the bridge.' }),
    application_id: z.string().optional(),
    pid: z.number().int().optional().meta({ description: 'As reported by the operating system.' }),
    direction: z.enum(['in', 'out']).meta({ description: '`in`: from the game to the bridge.' }),
    opcode: z.string().meta({ description: 'Name of the opcode, or its number if it has none.' }),
    bytes: z.number().int().meta({ description: 'Length of the payload as it was sent.' }),
    message: z.unknown().optional().meta({
      description: 'The decoded payload without secrets; absent for pings, invalid payloads, and messages too large for the response.',
    }),
  }),
)

export const InspectedFrames = once(() =>
  tolerant({
    frames: z.array(InspectedFrame()),
    dropped: z
      .number()
      .int()
      .meta({ description: 'Frames that were dropped since the last response, because the operator read too slowly.' }),
  }),
)
