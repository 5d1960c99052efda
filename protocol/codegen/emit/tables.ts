/** Emits the pages of the small tables: errors, limits, scopes, permissions and versions. */
import type { LimitAudience } from '../../src/limits.ts'
import type { Model } from '../model.ts'
import { keyedCommands } from './constants.ts'
import { code, list, page, table, wrapped } from './text.ts'

export const errorsPage = (model: Model): string =>
  page(
    'Errors and close codes',
    'The two tables use the same numbers with different meanings.',
    '## Errors\n\n`data.code` of a response with `evt` `ERROR`. The connection stays open.',
    table(
      ['Code', 'Name', 'Meaning', 'Retry'],
      model.errors.map((row) => [String(row.code), code(row.name), row.summary, row.retryable ? 'may help' : '']),
    ),
    '## Close codes\n\n`code` of a CLOSE frame. The connection is closed.',
    table(
      ['Code', 'Name', 'Meaning'],
      model.closeCodes.map((row) => [String(row.code), code(row.name), row.summary]),
    ),
  )

const FRAMES = `A frame is a header and a payload. The header has the type of the frame and the length of the payload in bytes, both uint32
little endian. A socket or pipe has a name of a slot, from 0; clients try the slots in ascending order.`

const MESSAGES = `The payload of a FRAME is a message in the encoding of the handshake. Both sides ignore members that are not listed. They accept
reserved members and ignore them, so that a later version can use them.`

const KEYS = [
  `With a key, a call takes effect once at most. The game makes the key once for each call. It repeats the call with the same key only after a
broken connection, until the call ends. The repeat gets the result of the first call, or waits for it.`,
  `A key belongs to a program, an application and an account, and to one command with its arguments: another call with it is refused with
\`KEY_REUSED\`. The same key of another program is another key.`,
  `The bridge writes the key before the request leaves, and the result after the answer. It keeps both for ten minutes, also over a restart.
A refusal of the platform (4xx) is kept too, but for 401 and 429: after these, and if no request left, a repeat makes the call. If the bridge ended in between, a
repeat gets \`UNKNOWN_OUTCOME\` and no second request is made. If the platform did not answer, or with an error of the server (5xx), the first call gets it
too: after an error that is retryable, a call with a key took no effect. The game reads the state and decides: a repeat with a new key may take effect
a second time. A message of CREATE_MESSAGE without a nonce of the game is sent again with one made of its key, for two minutes: the platform
returns the first message.`,
  `This holds if the process of the game or of the bridge is killed. It does not hold after a power cut. Commands that take no key warn of
it in \`warnings\`.`,
]

type Member = Model['wire']['messages'][number]['members'][number]

const memberFacts = ({ type, isOptional, isReserved }: Member): string =>
  [type, ...(isOptional === true ? ['optional'] : []), ...(isReserved === true ? ['reserved'] : [])].join(', ')

export function wirePage(model: Model): string {
  const { wire, protocolVersion, contractVersion } = model
  return page(
    'The wire',
    wrapped(FRAMES),
    list([
      `Version of the protocol, \`v\` of the handshake: ${protocolVersion}`,
      `Version of the contract: ${contractVersion}`,
      `Bytes of the header: ${wire.headerBytes}`,
      `Slots: ${wire.slots}`,
      `Encodings: ${wire.encodings.map(code).join(', ')}`,
    ]),
    '## Types of frames',
    list(Object.entries(wire.opcodes).map(([name, value]) => `${value}: ${code(name)}`)),
    '## Messages',
    wrapped(MESSAGES),
    ...wire.messages.flatMap(({ name, members }) => [
      `### ${name[0]?.toUpperCase()}${name.slice(1)}`,
      list(members.map((member) => `${code(member.name)} (${memberFacts(member)}): ${member.summary}`)),
    ]),
    '## Keys',
    ...KEYS.map((text) => wrapped(text)),
    wrapped(
      `Commands that take a key: ${keyedCommands(model)
        .map(({ name }) => code(name))
        .join(', ')}.`,
    ),
  )
}

const AUDIENCES: Readonly<Record<LimitAudience, string>> = {
  games: '## Of games\n\nEvery binding has them as constants.',
  applications: '## Of applications\n\nOf calls that need a bot token, and of all requests of an application.',
  operators: '## Of operators',
}

export const limitsPage = (model: Model): string =>
  page(
    'Limits',
    'Checked before a request is sent.',
    ...Object.entries(AUDIENCES).flatMap(([audience, heading]) => [
      heading,
      list(
        model.limits.filter((row) => row.audience === audience).map((row) => `${code(row.name)}: ${row.value} ${row.unit}. ${row.summary}`),
      ),
    ]),
  )

export function scopesPage(model: Model): string {
  const umbrellas = model.scopes.flatMap(({ name, expandsTo = [] }) => (expandsTo.length === 0 ? [] : [{ name, expandsTo }]))
  return page(
    'Scopes and permissions',
    'Pseudo scopes belong to a connection; a user grants the other scopes.',
    table(
      ['Scope', 'Kind', 'Description'],
      model.scopes.map((row) => [code(row.name), row.kind, row.summary]),
    ),
    '## Scopes that include others',
    list(umbrellas.map(({ name, expandsTo }) => `${code(name)}: ${expandsTo.map(code).join(', ')}`)),
    '## Scopes that the bridge requests besides',
    'While no desktop client runs, AUTHORIZE requests what the bridge needs to answer in its place. The prompt says so.',
    list(
      model.scopes.flatMap(({ name, withoutClient = [] }) =>
        withoutClient.length === 0 ? [] : [`${code(name)}: ${withoutClient.map(code).join(', ')}`],
      ),
    ),
    '## Guild permissions',
    table(
      ['Permission', 'Bit', 'Description'],
      model.permissions.map((row) => [code(row.name), `1 << ${row.shift}`, row.summary]),
    ),
  )
}

const SDK = `Versions have the form MAJOR.MINOR.BUILD. New minor versions are released in April, July and November; the five newest are supported:
1.6 to 1.10 from July 2026. A connection with an older version in \`sdk_version\` of its handshake is accepted, and the daemon logs \`sdk-unsupported\`.`

type Version = Model['versions'][number]

const effect = ({ date, until, announced }: Version): string =>
  [
    `In effect from ${date}`,
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(announced === undefined ? [] : [`(first announced: ${announced})`]),
  ].join(' ')

const change = (row: Version): string =>
  [
    `## ${row.id}`,
    wrapped(row.summary),
    list([effect(row), ...(row.rows.length === 0 ? [] : [`Affects: ${row.rows.map(code).join(', ')}`])]),
  ].join('\n\n')

export const versionsPage = (model: Model): string =>
  page(
    'Versions',
    'Dated changes of the platform. A day begins at midnight UTC.',
    ...model.versions.map(change),
    `## The SDK\n\n${wrapped(SDK)}`,
  )
