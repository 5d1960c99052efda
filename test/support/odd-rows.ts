/** Endpoint rows whose call or outcome does not follow from the row. Keep it short: a rule of row-call.ts is better. */
import type { EndpointName } from '@sallyport/protocol'

export interface OddRow {
  readonly reason: string
  /** Arguments instead of the derived ones of the same name. */
  readonly args?: Readonly<Record<string, unknown>>
  /** Code of the platform for the bot. */
  readonly bot?: number
}

export const MOST_ODD_ROWS = 15

export const ODD_ROWS: Partial<Readonly<Record<EndpointName, OddRow>>> = {
  CREATE_INTERACTION_RESPONSE: {
    reason: 'The type is any integer, and decides what the data must be.',
    args: { type: 4, data: { content: 'Ahoy' } },
  },
  SEARCH_GUILD_MESSAGES: {
    reason: 'The first search starts an index, so it gets "not ready" once.',
    bot: 110_000,
  },
}
