/** An endpoint row seen as the command row of the same name. */
import type { z } from 'zod'
import { type CommandRow, defineCommand } from '../commands/define.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import type { EndpointRow } from './define.ts'

export const asCommand = <Name extends string, Args extends z.ZodType, Response extends z.ZodType>(
  row: EndpointRow<Name, Args, Response>,
): CommandRow<Name, Args, Response, 'api'> =>
  defineCommand({
    name: row.name,
    summary: row.summary,
    answeredBy: 'api',
    // A bot operation is called with the operator's bot token; what the game itself must be is signed in.
    requires: row.unavailable !== undefined ? NO_SCOPE : row.auth === 'bot' ? anyOf('rpc.authenticated') : row.requires,
    args: row.args,
    data: row.response,
    errors: row.unavailable === undefined ? ['INVALID_TOKEN', 'RATE_LIMITED'] : [],
    provenance: row.provenance,
    since: row.since,
  })
