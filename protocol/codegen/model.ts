/** The neutral model: all tables as plain JSON without zod or TypeScript. Emitters read only this model. */
import {
  CLOSE_CODES,
  COMMAND_FAMILIES,
  type CommandRow,
  COMMANDS,
  CONTRACT_VERSION,
  DEFAULT_COMMUNICATION_SCOPES,
  DEFAULT_PRESENCE_SCOPES,
  ENCODINGS,
  ENDPOINT_FAMILIES,
  type EndpointRow,
  ENDPOINTS,
  ERRORS,
  EVENT_FAMILIES,
  type EventRow,
  HEADER_BYTES,
  LEFT_OUT,
  LEFT_OUT_DISPATCHES,
  LIMITS_BY_AUDIENCE,
  type LimitAudience,
  type LimitRow,
  type MemberRow,
  MESSAGES,
  NUMBER_SETS,
  type NumberSet,
  offeredTo,
  OPCODES,
  type PermissionRow,
  PERMISSIONS,
  PROTOCOL_VERSION,
  type ScopeRow,
  SCOPES,
  SLOT_COUNT,
  type VersionRow,
  VERSIONS,
} from '../src/index.ts'
import { DefinitionSet } from './json-schema.ts'

interface Named {
  readonly name: string
}
type InFamily<Row> = Row & { readonly family: string }
type Families<Row extends Named> = Readonly<Record<string, Readonly<Record<string, Row>>>>

const byName = <Row extends Named>(rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** The rows of all families with the name of their family, sorted by name. */
const rowsOf = <Row extends Named>(families: Families<Row>): InFamily<Row>[] =>
  byName(Object.entries(families).flatMap(([family, rows]) => Object.values(rows).map((row) => ({ ...row, family }))))

/** A bit can exceed a JSON number, so it is text. */
const permission = ([name, row]: [string, PermissionRow]) => ({
  name,
  bit: row.bit.toString(),
  shift: row.bit.toString(2).length - 1,
  summary: row.summary,
})

const command = (row: InFamily<CommandRow>, definitions: DefinitionSet) => ({
  name: row.name,
  family: row.family,
  summary: row.summary,
  handledBy: row.handledBy,
  ...(row.refusal === undefined ? {} : { refusal: row.refusal }),
  ...(row.withoutClient === undefined ? {} : { withoutClient: row.withoutClient }),
  offeredTo: offeredTo(row.requires),
  scopes: row.requires,
  clientScopes: row.clientRequires ?? null,
  args: definitions.convert(row.args, 'input'),
  data: definitions.convert(row.data, 'output'),
  errors: row.errors,
  provenance: row.provenance,
  since: row.since,
})

/** A command that is an endpoint: the row of the endpoint has its arguments and its response. */
const endpointCommand = ({ name, requires, errors, keyed }: CommandRow) => ({
  name,
  handledBy: 'api' as const,
  endpoint: name,
  scopes: requires,
  ...(keyed === undefined ? {} : { keyed }),
  errors,
})

const event = (row: InFamily<EventRow>, definitions: DefinitionSet) => ({
  name: row.name,
  family: row.family,
  summary: row.summary,
  delivery: row.delivery,
  retained: row.retained ?? null,
  scopes: row.requires,
  clientScopes: row.clientRequires ?? null,
  narrowed: row.narrowed ?? null,
  args: definitions.convert(row.args, 'input'),
  data: definitions.convert(row.data, 'output'),
  provenance: row.provenance,
  since: row.since,
})

const endpoint = (row: InFamily<EndpointRow>, definitions: DefinitionSet) => ({
  name: row.name,
  family: row.family,
  summary: row.summary,
  isCommand: Object.hasOwn(COMMANDS, row.name),
  method: row.method,
  path: row.path,
  pathParameters: row.pathParameters,
  queryParameters: row.queryParameters,
  bodyArgument: row.bodyArgument ?? null,
  encoding: row.encoding,
  upload: row.upload ?? null,
  csvReply: row.csvReply ?? null,
  auth: row.auth,
  botFor: row.botFor ?? null,
  asBotArgument: row.asBotArgument ?? null,
  scopes: row.requires,
  permissions: row.permissions,
  idempotency: row.idempotency,
  audited: row.audited,
  reasonArgument: row.reasonArgument ?? null,
  majorParameter: row.majorParameter ?? null,
  success: row.success,
  platformErrors: row.platformErrors,
  deprecated: row.deprecated ?? null,
  unavailable: row.unavailable ?? null,
  args: definitions.convert(row.args, 'input'),
  response: definitions.convert(row.response, 'output'),
  provenance: row.provenance,
  since: row.since,
})

export type OwnCommand = ReturnType<typeof command>
export type EndpointCommand = ReturnType<typeof endpointCommand>

/** Builds the model from the tables; the result is deterministic. */
export function buildModel() {
  const definitions = new DefinitionSet()
  const ownCommands = rowsOf<CommandRow>(COMMAND_FAMILIES).map((row) => command(row, definitions))
  const endpointCommands = Object.values<CommandRow>(COMMANDS)
    .filter(({ name }) => Object.hasOwn(ENDPOINTS, name))
    .map(endpointCommand)
  const events = rowsOf<EventRow>(EVENT_FAMILIES).map((row) => event(row, definitions))
  const endpoints = rowsOf<EndpointRow>(ENDPOINT_FAMILIES).map((row) => endpoint(row, definitions))
  return {
    contractVersion: CONTRACT_VERSION,
    protocolVersion: PROTOCOL_VERSION,
    wire: {
      headerBytes: HEADER_BYTES,
      slots: SLOT_COUNT,
      encodings: ENCODINGS,
      opcodes: OPCODES,
      messages: Object.entries<Readonly<Record<string, MemberRow>>>(MESSAGES).map(([name, members]) => ({
        name,
        members: Object.entries(members).map(([member, row]) => ({ name: member, ...row })),
      })),
    },
    commands: byName<OwnCommand | EndpointCommand>([...ownCommands, ...endpointCommands]),
    events,
    endpoints,
    leftOut: LEFT_OUT,
    leftOutDispatches: LEFT_OUT_DISPATCHES,
    errors: Object.entries(ERRORS).map(([name, row]) => ({ name, ...row })),
    closeCodes: Object.entries(CLOSE_CODES).map(([name, row]) => ({ name, ...row })),
    limits: Object.entries<Readonly<Record<string, LimitRow>>>(LIMITS_BY_AUDIENCE).flatMap(([audience, rows]) =>
      Object.entries(rows).map(([name, row]) => ({ name, audience: audience as LimitAudience, ...row })),
    ),
    scopes: Object.entries<ScopeRow>(SCOPES).map(([name, row]) => ({ name, ...row })),
    defaultScopes: { communication: DEFAULT_COMMUNICATION_SCOPES, presence: DEFAULT_PRESENCE_SCOPES },
    permissions: Object.entries(PERMISSIONS).map(permission),
    numberSets: Object.entries<NumberSet>(NUMBER_SETS).map(([name, row]) => ({ name, ...row })),
    versions: Object.entries<VersionRow>(VERSIONS).map(([id, row]) => ({ id, ...row })),
    $defs: definitions.all(),
  }
}

export type Model = ReturnType<typeof buildModel>
