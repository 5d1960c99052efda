/** Compares two versions of protocol.json, and says of each difference whom it breaks. Pure. */
import type { Model } from '../model.ts'
import { adds, at, breaksCode, breaksGames, type Difference, isSame, type Kind } from './difference.ts'
import { type Definitions, type Direction, referenceOf, type Schema, schemaDifferences } from './schemas.ts'

type Named = { readonly name: string }
/** A version from before a table does not have it. */
type Rows<Row> = readonly [older: readonly Row[] | undefined, newer: readonly Row[]]

const KINDS: readonly Kind[] = ['games', 'code', 'adds']

/** Rows of both versions by name, then what a removed and a new row mean, and what differs in one that stayed. */
function* rowDifferences<Row extends Named>(
  table: string,
  [older, newer]: Rows<Row>,
  removed: (row: Row, path: string) => Difference,
  changed: (was: Row, is: Row, path: string) => Iterable<Difference>,
): Generator<Difference> {
  const rows = new Map(newer.map((row) => [row.name, row]))
  for (const was of older ?? []) {
    const is = rows.get(was.name)
    const path = at(table, was.name)
    if (is === undefined) yield removed(was, path)
    else yield* changed(was, is, path)
    rows.delete(was.name)
  }
  for (const name of rows.keys()) yield adds(at(table, name), 'is new')
}

const gone = (_row: unknown, path: string): Difference => breaksGames(path, 'is gone')
const goneName = (_row: unknown, path: string): Difference => breaksCode(path, 'is gone')

const isDifferent = (was: unknown, is: unknown): boolean => !isSame(was, is)

/** Values of one kind in both versions, by name. */
function* valueDifferences(
  path: string,
  was: Readonly<Record<string, unknown>>,
  is: Readonly<Record<string, unknown>>,
): Generator<Difference> {
  for (const [name, value] of Object.entries(was)) {
    if (!Object.hasOwn(is, name)) yield breaksGames(at(path, name), 'is gone')
    else if (isDifferent(value, is[name]))
      yield breaksGames(at(path, name), `is ${JSON.stringify(is[name])} instead of ${JSON.stringify(value)}`)
  }
  for (const name of Object.keys(is)) if (!Object.hasOwn(was, name)) yield adds(at(path, name), 'is new')
}

type Member = Model['wire']['messages'][number]['members'][number]

function* memberDifferences(message: string, was: Member, is: Member, path: string): Generator<Difference> {
  if (was.type !== is.type) yield breaksGames(path, `is ${is.type} instead of ${was.type}`)
  const [wasOptional, isOptional] = [was.isOptional === true, is.isOptional === true]
  const isSent = message === 'call'
  if (wasOptional && !isOptional) yield isSent ? breaksGames(path, 'is required') : adds(path, 'is always there')
  if (!wasOptional && isOptional) yield isSent ? adds(path, 'is optional') : breaksGames(path, 'may be absent')
  if (was.isReserved === true && is.isReserved !== true) yield adds(path, 'has an effect now')
  if (was.isReserved !== true && is.isReserved === true) yield breaksGames(path, 'has no effect any more')
}

function* wireDifferences(was: Model['wire'], is: Model['wire']): Generator<Difference> {
  yield* valueDifferences('wire', { headerBytes: was.headerBytes }, { headerBytes: is.headerBytes })
  yield* valueDifferences('wire.opcodes', was.opcodes, is.opcodes)
  if (is.slots < was.slots) yield breaksGames('wire.slots', `is ${is.slots} instead of ${was.slots}`)
  if (is.slots > was.slots) yield adds('wire.slots', `is ${is.slots} instead of ${was.slots}`)
  yield* rowDifferences('wire.encodings', [named(was.encodings), named(is.encodings)], gone, () => [])
  yield* rowDifferences('wire.messages', [was.messages, is.messages], gone, (older, newer, path) =>
    rowDifferences(path, [older.members, newer.members], gone, (one, other, member) => memberDifferences(older.name, one, other, member)),
  )
}

const named = (names: readonly string[]): readonly Named[] => names.map((name) => ({ name }))

type Scopes = readonly (readonly string[])[]

/** A game with one of the old sets must satisfy one of the new ones. */
function* scopeDifferences(was: Scopes | null, is: Scopes | null, path: string): Generator<Difference> {
  if (!isDifferent(was, is)) return
  const isEnough = (granted: readonly string[]): boolean => (is ?? []).some((set) => set.every((scope) => granted.includes(scope)))
  const refused = (was ?? []).find((set) => !isEnough(set))
  yield refused === undefined
    ? adds(path, 'needs fewer scopes, or others too')
    : breaksGames(path, `${refused.join(' and ') || 'no scope'} is not enough`)
}

type Own = Extract<Model['commands'][number], { readonly args: unknown }>
type OfEndpoint = Exclude<Model['commands'][number], Own>
const isOwn = (row: Own | OfEndpoint): row is Own => 'args' in row

/** Arguments are sent by a game; data is what it receives. */
const schemaRule =
  (definitions: Definitions) =>
  (was: Schema, is: Schema, direction: Direction, path: string): Iterable<Difference> =>
    schemaDifferences(definitions, was, is, direction, path)

type SchemaRule = ReturnType<typeof schemaRule>

function* commandDifferences(schema: SchemaRule, was: Own | OfEndpoint, is: Own | OfEndpoint, path: string): Generator<Difference> {
  if (was.handledBy !== is.handledBy) {
    const what = `is handled by ${is.handledBy} instead of ${was.handledBy}`
    // The bridge asks the client first, and answers without it too.
    yield was.handledBy === 'desktop-client' && is.handledBy === 'bridge' ? adds(path, what) : breaksGames(path, what)
  }
  if ('keyed' in was && !('keyed' in is)) yield breaksGames(path, 'takes no key any more')
  if ('keyed' in is && !('keyed' in was)) yield adds(path, 'takes a key')
  yield* scopeDifferences(was.scopes, is.scopes, at(path, 'scopes'))
  for (const error of is.errors) if (!was.errors.includes(error)) yield adds(at(path, 'errors'), `it can fail with ${error}`)
  for (const error of was.errors) if (!is.errors.includes(error)) yield adds(at(path, 'errors'), `it does not fail with ${error} any more`)
  if (!isOwn(was) || !isOwn(is)) return
  yield* scopeDifferences(was.clientScopes ?? was.scopes, is.clientScopes ?? is.scopes, at(path, 'clientScopes'))
  for (const peer of was.offeredTo) if (!is.offeredTo.includes(peer)) yield breaksGames(at(path, 'offeredTo'), `${peer} cannot call it`)
  for (const peer of is.offeredTo) if (!was.offeredTo.includes(peer)) yield adds(at(path, 'offeredTo'), `${peer} can call it`)
  yield* schema(was.args, is.args, 'sent', at(path, 'args'))
  yield* schema(was.data, is.data, 'received', at(path, 'data'))
}

type Event = Model['events'][number]

function* eventDifferences(schema: SchemaRule, was: Event, is: Event, path: string): Generator<Difference> {
  if (was.delivery !== is.delivery) yield breaksGames(path, `its delivery is ${is.delivery} instead of ${was.delivery}`)
  if (isDifferent(was.retained, is.retained)) yield breaksGames(path, 'the first event after a subscription is another one')
  yield* scopeDifferences(was.scopes, is.scopes, at(path, 'scopes'))
  yield* scopeDifferences(was.clientScopes ?? was.scopes, is.clientScopes ?? is.scopes, at(path, 'clientScopes'))
  yield* schema(was.args, is.args, 'sent', at(path, 'args'))
  yield* schema(was.data, is.data, 'received', at(path, 'data'))
}

type Endpoint = Model['endpoints'][number]

function* endpointDifferences(schema: SchemaRule, was: Endpoint, is: Endpoint, path: string): Generator<Difference> {
  if (was.isCommand && !is.isCommand) yield breaksGames(path, 'is no command any more')
  if (was.auth !== is.auth) yield breaksGames(path, `is called with the token of a ${is.auth} instead of a ${was.auth}`)
  if (was.unavailable === null && is.unavailable !== null) yield breaksGames(path, 'is unavailable')
  yield* schema(was.args, is.args, 'sent', at(path, 'args'))
  yield* schema(was.response, is.response, 'received', at(path, 'response'))
}

type ErrorRow = Model['errors'][number]

/** A name that is gone while its code has another name is renamed: only source code must change. */
const goneError =
  (newer: readonly { readonly name: string; readonly code: number }[]) =>
  ({ code }: { readonly code: number }, path: string): Difference => {
    const renamed = newer.find((row) => row.code === code)
    return renamed === undefined ? breaksGames(path, 'is gone') : breaksCode(path, `is ${renamed.name} now`)
  }

function* errorDifferences(was: ErrorRow, is: ErrorRow, path: string): Generator<Difference> {
  if (was.code !== is.code) yield breaksGames(path, `its code is ${is.code} instead of ${was.code}`)
  if (was.retryable !== is.retryable) yield breaksGames(path, `the same call ${is.retryable ? 'may' : 'cannot'} succeed later`)
}

type Limit = Model['limits'][number]

/** Limits of what the daemon sends: a larger value breaks a game that has a buffer of the old size. */
const OF_RECEIVED: readonly string[] = ['readyBytes', 'outgoingPayloadBytes']
/** The largest frame in both directions. */
const OF_BOTH: readonly string[] = ['contractFrameBytes']
const isSmallest = ({ name, summary }: Limit): boolean => name.endsWith('Min') || summary.startsWith('Minimum')

function* limitDifferences(was: Limit, is: Limit, path: string): Generator<Difference> {
  if (was.unit !== is.unit) yield breaksGames(path, `its unit is ${is.unit} instead of ${was.unit}`)
  if (was.audience === 'games' && is.audience !== 'games') yield breaksCode(path, 'is no constant of the bindings any more')
  if (was.audience !== 'games' && is.audience === 'games') yield adds(path, 'is a constant of the bindings')
  if (was.value === is.value) return
  const isLarger = is.value > was.value
  const isNarrower = OF_BOTH.includes(was.name) || isLarger === (OF_RECEIVED.includes(was.name) || isSmallest(was))
  yield (isNarrower ? breaksGames : adds)(path, `is ${is.value} instead of ${was.value}`)
}

type Scope = Model['scopes'][number]

function* scopeRowDifferences(was: Scope, is: Scope, path: string): Generator<Difference> {
  if (was.kind !== is.kind) yield breaksGames(path, `is of the kind ${is.kind} instead of ${was.kind}`)
  for (const scope of was.expandsTo ?? [])
    if (!(is.expandsTo ?? []).includes(scope)) yield breaksGames(path, `does not include ${scope} any more`)
  for (const scope of is.expandsTo ?? []) if (!(was.expandsTo ?? []).includes(scope)) yield adds(path, `includes ${scope}`)
}

/** Names of the definitions that a schema reaches. */
function reached(schema: unknown, $defs: Readonly<Record<string, Schema>>, names: Set<string>): Set<string> {
  if (Array.isArray(schema)) for (const one of schema) reached(one, $defs, names)
  else if (typeof schema === 'object' && schema !== null) {
    const name = referenceOf(schema as Schema)
    if (name !== undefined && !names.has(name)) reached($defs[name], $defs, names.add(name))
    for (const member of Object.values(schema)) reached(member, $defs, names)
  }
  return names
}

/** Definitions by who uses them: those of arguments are sent, the others received; some are both. */
function* definitionDifferences(older: Model, newer: Model): Generator<Difference> {
  const definitions = { old: older.$defs, new: newer.$defs }
  const rows = [...older.commands.filter(isOwn), ...older.events, ...older.endpoints]
  const used = {
    sent: reached(
      rows.map((row) => row.args),
      older.$defs,
      new Set(),
    ),
    received: reached(
      rows.map((row) => ('response' in row ? row.response : row.data)),
      older.$defs,
      new Set(),
    ),
  }
  for (const [name, was] of Object.entries<Schema>(older.$defs)) {
    const path = at('$defs', name)
    const is = newer.$defs[name]
    if (is === undefined) yield breaksCode(path, 'is gone')
    else
      for (const direction of ['sent', 'received'] as const)
        if (used[direction].has(name)) yield* schemaDifferences(definitions, was, is, direction, path)
  }
  for (const name of Object.keys(newer.$defs)) if (!Object.hasOwn(older.$defs, name)) yield adds(at('$defs', name), 'is new')
}

function* all(older: Model, newer: Model): Generator<Difference> {
  const schema = schemaRule({ old: older.$defs, new: newer.$defs })
  if (older.protocolVersion !== newer.protocolVersion) yield breaksGames('protocolVersion', 'is another one')
  if (older.contractVersion !== newer.contractVersion) yield adds('contractVersion', `is ${newer.contractVersion}`)
  yield* wireDifferences(older.wire, newer.wire)
  yield* rowDifferences('commands', [older.commands, newer.commands], gone, (was, is, path) => commandDifferences(schema, was, is, path))
  yield* rowDifferences('events', [older.events, newer.events], gone, (was, is, path) => eventDifferences(schema, was, is, path))
  // A removed endpoint that is a command is in the list as a command too.
  yield* rowDifferences('endpoints', [older.endpoints, newer.endpoints], goneName, (was, is, path) =>
    endpointDifferences(schema, was, is, path),
  )
  yield* rowDifferences('errors', [older.errors, newer.errors], goneError(newer.errors), errorDifferences)
  yield* rowDifferences('closeCodes', [older.closeCodes, newer.closeCodes], goneError(newer.closeCodes), (was, is, path) =>
    was.code === is.code ? [] : [breaksGames(path, `its code is ${is.code} instead of ${was.code}`)],
  )
  yield* rowDifferences('limits', [older.limits, newer.limits], goneName, limitDifferences)
  yield* rowDifferences('scopes', [older.scopes, newer.scopes], gone, scopeRowDifferences)
  yield* rowDifferences('permissions', [older.permissions, newer.permissions], goneName, (was, is, path) =>
    was.bit === is.bit ? [] : [breaksGames(path, `its bit is ${is.shift} instead of ${was.shift}`)],
  )
  for (const [use, scopes] of Object.entries<readonly string[]>(older.defaultScopes)) {
    const now: Readonly<Record<string, readonly string[]>> = newer.defaultScopes
    if (isDifferent(scopes, now[use])) yield breaksCode(at('defaultScopes', use), `is ${now[use]?.join(' ') ?? 'gone'}`)
  }
  yield* definitionDifferences(older, newer)
}

/** The differences, the worst first; each once. */
export function compare(older: Model, newer: Model): readonly Difference[] {
  const found = new Map([...all(older, newer)].map((one) => [JSON.stringify(one), one]))
  return [...found.values()].toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
}

/** 0: no game must change; 1: the source of games must change; 2: compiled games break. */
export const exitCodeOf = (differences: readonly Difference[]): 0 | 1 | 2 =>
  differences.some(({ kind }) => kind === 'games') ? 2 : differences.some(({ kind }) => kind === 'code') ? 1 : 0
