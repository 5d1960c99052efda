/** Emits rows of commands, events and endpoints as sections of a page. */
import { CLIENT_KINDS, type ClientKind } from '../../src/index.ts'
import type { EndpointCommand, Model, OwnCommand } from '../model.ts'
import { fieldList, type RecordLink } from './fields.ts'
import { code, list, wrapped } from './text.ts'

type EventOfModel = Model['events'][number]
type Endpoint = Model['endpoints'][number]
type Scopes = OwnCommand['scopes']

/** "`a` and `b`, or `c`" */
function scopesInWords(scopes: Scopes): string {
  if (scopes.some((set) => set.length === 0)) return 'none'
  return scopes.map((set) => set.map(code).join(' and ')).join(', or ')
}

const section = (name: string, summary: string, facts: readonly string[], ...fields: readonly (readonly [string, string])[]): string =>
  [`## ${name}`, wrapped(summary), list(facts), ...fields.map(([title, text]) => `${title}:\n\n${text}`)].join('\n\n')

const HANDLED_BY = {
  bridge: 'the bridge',
  api: "the platform's HTTP API",
  'desktop-client': "the platform's desktop client if it runs; else `SERVICE_UNAVAILABLE`",
  embedded: "only the platform's client; else `SERVICE_UNAVAILABLE`",
} as const

/** The clients that can have its scopes, unless all can. */
const offeredFacts = (kinds: OwnCommand['offeredTo']): readonly string[] =>
  kinds.length === Object.keys(CLIENT_KINDS).length
    ? []
    : [`Offered to: ${kinds.map((kind) => OFFERED_TO[kind]).join(', ') || 'no client'}`]

const OFFERED_TO = { program: 'programs', page: 'pages', activity: 'embedded activities' } as const satisfies Record<ClientKind, string>

const clientFacts = (scopes: Scopes | null): readonly string[] =>
  scopes === null ? [] : [`Scopes via the desktop client: ${scopesInWords(scopes)}`]
const errorFacts = (errors: OwnCommand['errors']): readonly string[] =>
  errors.length === 0 ? [] : [`Additional errors: ${errors.map(code).join(', ')}`]
const sourceFact = ({ provenance, since }: Pick<OwnCommand, 'provenance' | 'since'>): string => `Source: ${provenance}; since ${since}`

export function commandSection(row: OwnCommand, link: RecordLink): string {
  const facts = [
    `Handled by: ${HANDLED_BY[row.handledBy]}`,
    ...(row.refusal === undefined ? [] : [`Without it: ${row.refusal}`]),
    ...(row.withoutClient === undefined ? [] : [`Without the desktop client: ${row.withoutClient}`]),
    ...offeredFacts(row.offeredTo),
    `Scopes: ${scopesInWords(row.scopes)}`,
    ...clientFacts(row.clientScopes),
    ...errorFacts(row.errors),
    sourceFact(row),
  ]
  return section(row.name, row.summary, facts, ['Arguments', fieldList(row.args, link)], ['Response', fieldList(row.data, link)])
}

const DELIVERY = {
  automatic: 'automatic',
  subscription: 'after SUBSCRIBE',
  embedded: 'after SUBSCRIBE, only to embedded activities',
} as const

export function eventSection(row: EventOfModel, link: RecordLink): string {
  const facts = [
    `Delivery: ${DELIVERY[row.delivery]}`,
    `Scopes: ${scopesInWords(row.scopes)}`,
    ...clientFacts(row.clientScopes),
    ...(row.narrowed === null
      ? []
      : [`Without ${code(row.narrowed.without)}: only from ${row.narrowed.to}; ${code('unserved')} of SUBSCRIBE says so`]),
    sourceFact(row),
  ]
  return section(row.name, row.summary, facts, ['Arguments of SUBSCRIBE', fieldList(row.args, link)], ['Data', fieldList(row.data, link)])
}

const IDEMPOTENCY = {
  safe: 'reads only',
  natural: 'a repeat has no further effect',
  keyed: 'safe to repeat with a nonce',
  none: 'never retried once sent',
} as const

/** When the bot's token is sent, for rows that either token may call. */
function botFacts({ asBotArgument, botFor }: Endpoint): readonly string[] {
  if (asBotArgument === null) return []
  const reasons = [
    ...(botFor?.isPreferred === true ? ['whenever the bridge has it'] : []),
    ...(botFor?.isOnRequest === true ? [] : ['if no user is signed in']),
    ...(botFor?.otherUser === undefined ? [] : [`if ${code(botFor.otherUser)} names another user`]),
    ...(botFor?.guildOwner === undefined ? [] : [`with ${code(botFor.guildOwner)}`]),
    `with ${code(asBotArgument)}`,
  ]
  return [`The bot's token is used: ${reasons.join('; ')}. Otherwise the user's.`]
}

const uploadFact = ({ argument, isList, fileLimit, limitArgument, asFields }: NonNullable<Endpoint['upload']>): string =>
  `Files: ${code(argument)} is sent as ${isList ? `the parts ${code(`${argument}[n]`)}` : 'a part'} of a multipart body, with the other ` +
  `arguments ${asFields === true ? 'as text parts' : `in ${code('payload_json')}`}; limit of each: ` +
  `${limitArgument === undefined ? '' : `${code(limitArgument)}, default `}${code(fileLimit)}`

const commandFacts = (row: Endpoint, command: EndpointCommand | undefined): readonly string[] => {
  if (command === undefined) return ['Not a command']
  const [ofToken, ofCommand] = [row.scopes, command.scopes].map(scopesInWords)
  return [...(ofToken === ofCommand ? [] : [`Scopes of the command: ${ofCommand}`]), ...errorFacts(command.errors)]
}

/** `command`: the command of the endpoint, if it is one. */
export function endpointSection(row: Endpoint, command: EndpointCommand | undefined, link: RecordLink): string {
  const facts = [
    code(`${row.method} ${row.path}`),
    `Token: ${row.auth}; scopes: ${scopesInWords(row.scopes)}`,
    ...botFacts(row),
    ...commandFacts(row, command),
    ...(row.permissions.length === 0 ? [] : [`Permissions: ${row.permissions.map(code).join(', ')}`]),
    `Retry: ${IDEMPOTENCY[row.idempotency]}`,
    ...(command !== undefined && 'keyed' in command ? ['Takes a [key](../wire.md#keys)'] : []),
    `Success: ${row.success.join(', ')}`,
    ...(row.platformErrors.length === 0 ? [] : [`Platform codes: ${row.platformErrors.join(', ')}`]),
    ...(row.upload === null ? [] : [uploadFact(row.upload)]),
    ...(row.csvReply === null
      ? []
      : [`The platform returns a CSV with the header ${code(row.csvReply.header)}, which becomes ${code(row.csvReply.as)}`]),
    ...(row.deprecated === null ? [] : [`Deprecated: use ${code(row.deprecated)}`]),
    ...(row.audited ? ['Accepts an audit log reason'] : []),
    ...(row.unavailable === null ? [] : [`Unavailable since ${row.unavailable.since}: ${row.unavailable.reason}`]),
    sourceFact(row),
  ]
  return section(row.name, row.summary, facts, ['Arguments', fieldList(row.args, link)], ['Response', fieldList(row.response, link)])
}
