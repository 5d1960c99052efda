/** The neutral model: all tables as plain JSON without zod or TypeScript. Emitters read only this model. */
import {
  CLOSE_CODES,
  type CommandRow,
  COMMANDS,
  CONTRACT_VERSION,
  ENCODINGS,
  type EndpointRow,
  ENDPOINTS,
  ERRORS,
  type EventRow,
  EVENTS,
  HEADER_BYTES,
  LIMITS,
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
import { limitsOf } from './schema-fields.ts'

const byName = <Row>(rows: Readonly<Record<string, Row>>): [string, Row][] => Object.entries(rows).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** A bit can exceed a JSON number, so it is text. */
const permission = ([name, row]: [string, PermissionRow]) => ({
  name,
  bit: row.bit.toString(),
  shift: row.bit.toString(2).length - 1,
  summary: row.summary,
})

const command = (row: CommandRow, definitions: DefinitionSet) => ({
  name: row.name,
  summary: row.summary,
  handledBy: row.handledBy,
  scopes: row.requires,
  args: definitions.convert(row.args, 'input'),
  data: definitions.convert(row.data, 'output'),
  errors: row.errors,
  provenance: row.provenance,
  since: row.since,
})

const event = (row: EventRow, definitions: DefinitionSet) => ({
  name: row.name,
  summary: row.summary,
  delivery: row.delivery,
  scopes: row.requires,
  args: definitions.convert(row.args, 'input'),
  data: definitions.convert(row.data, 'output'),
  provenance: row.provenance,
  since: row.since,
})

const endpoint = (row: EndpointRow, definitions: DefinitionSet) => ({
  name: row.name,
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

/** Builds the model from the tables; the result is deterministic. */
export function buildModel() {
  const definitions = new DefinitionSet()
  const commands = byName<CommandRow>(COMMANDS).map(([, row]) => command(row, definitions))
  const events = byName<EventRow>(EVENTS).map(([, row]) => event(row, definitions))
  const endpoints = byName<EndpointRow>(ENDPOINTS).map(([, row]) => endpoint(row, definitions))
  const $defs = definitions.all()
  return {
    contractVersion: CONTRACT_VERSION,
    protocolVersion: PROTOCOL_VERSION,
    wire: { headerBytes: HEADER_BYTES, slots: SLOT_COUNT, encodings: ENCODINGS, opcodes: OPCODES },
    commands: commands.map((row) => ({ ...row, limits: limitsOf(row.args, $defs) })),
    events: events.map((row) => ({ ...row, limits: limitsOf(row.args, $defs) })),
    endpoints: endpoints.map((row) => ({ ...row, limits: limitsOf(row.args, $defs) })),
    errors: Object.entries(ERRORS).map(([name, row]) => ({ name, ...row })),
    closeCodes: Object.entries(CLOSE_CODES).map(([name, row]) => ({ name, ...row })),
    limits: Object.entries(LIMITS).map(([name, row]) => ({ name, ...row })),
    scopes: Object.entries<ScopeRow>(SCOPES).map(([name, row]) => ({ name, ...row })),
    permissions: Object.entries(PERMISSIONS).map(permission),
    versions: Object.entries<VersionRow>(VERSIONS).map(([id, row]) => ({ id, ...row })),
    $defs,
  }
}

export type Model = ReturnType<typeof buildModel>
