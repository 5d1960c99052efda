/** Converts endpoint rows to command rows with the same names. */
import { type CommandRow, defineCommand } from '../commands/define.ts'
import { anyOf, NO_SCOPE, type Requirement } from '../scopes.ts'
import type { EndpointRow } from './define.ts'
import { ENDPOINTS, type EndpointName } from './index.ts'

/** Endpoints that games use only via other commands. */
const WITHOUT_COMMAND = [
  'REQUEST_CHILD_TOKEN',
  'REQUEST_PROVISIONAL_ACCOUNT_UNMERGE',
  'REQUEST_PROVISIONAL_TOKEN',
  'REQUEST_TOKEN',
] as const satisfies readonly EndpointName[]

type EndpointCommandName = Exclude<EndpointName, (typeof WITHOUT_COMMAND)[number]>
type EndpointCommands = {
  readonly [Name in EndpointCommandName]: CommandRow<Name, (typeof ENDPOINTS)[Name]['args'], (typeof ENDPOINTS)[Name]['response'], 'api'>
}

function requirementOf(row: EndpointRow): Requirement {
  // The call always fails; it needs no scope, so every caller receives the reason.
  if (row.unavailable !== undefined) return NO_SCOPE
  const ofUser = requirementOfUser(row)
  // Whether a program may use the bot depends on more than scopes. A local program is checked by the call itself, a page must sign in.
  return row.auth === 'bot' || row.auth === 'user-or-bot' ? [...ofUser, ['rpc.local']] : ofUser
}

/** Scopes of a call with the user's token. A row without required scopes still requires a signed-in game. */
export const requirementOfUser = ({ requires }: EndpointRow): Requirement => (requires === NO_SCOPE ? anyOf('rpc.authenticated') : requires)

/** Rows that the bridge may not repeat by itself. The key of a call distinguishes a repeat from a second call. */
export const takesKey = ({ idempotency }: EndpointRow): boolean => idempotency === 'none' || idempotency === 'keyed'

const KEY_ERRORS = ['UNKNOWN_OUTCOME', 'KEY_REUSED', 'RESULT_NOT_KEPT'] as const

const errorsOf = (row: EndpointRow): CommandRow['errors'] =>
  row.unavailable === undefined ? ['INVALID_TOKEN', 'RATE_LIMITED', ...(takesKey(row) ? KEY_ERRORS : [])] : []

const asCommand = (row: EndpointRow): CommandRow =>
  defineCommand({
    name: row.name,
    summary: row.summary,
    handledBy: 'api',
    requires: requirementOf(row),
    args: () => row.args,
    data: () => row.response,
    ...(row.method === 'DELETE' || row.destructive ? { destructive: true } : {}),
    ...(takesKey(row) ? { keyed: true } : {}),
    errors: errorsOf(row),
    provenance: row.provenance,
    since: row.since,
  })

const hasCommand = (row: EndpointRow): boolean => !WITHOUT_COMMAND.some((name) => name === row.name)

export const ENDPOINT_COMMANDS = Object.fromEntries(
  Object.values<EndpointRow>(ENDPOINTS)
    .filter(hasCommand)
    .map((row) => [row.name, asCommand(row)]),
) as unknown as EndpointCommands
