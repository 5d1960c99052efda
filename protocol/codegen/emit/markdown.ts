/** The reference pages, made for reading: one page per table, one heading per row. */
import type { Model } from '../model.ts'
import { cell, fieldsTable } from './fields-table.ts'
import { NOTICE } from './json.ts'

type Scopes = Model['commands'][number]['scopes']

const page = (title: string, intro: string, ...parts: readonly string[]): string =>
  `${[`<!-- ${NOTICE} -->`, `# ${title}`, intro, ...parts].join('\n\n')}\n`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n')

const code = (text: string): string => `\`${text}\``

/** "`a` and `b`, or `c`" */
function scopesInWords(scopes: Scopes): string {
  if (scopes.some((set) => set.length === 0)) return 'none'
  return scopes.map((set) => set.map(code).join(' and ')).join(', or ')
}

const ANSWERED_BY = {
  bridge: 'the bridge',
  api: "the platform's HTTP API",
  'desktop-client': "the platform's desktop client, when it runs; else `SERVICE_UNAVAILABLE`",
  embedded: 'nobody over a local socket: `INVALID_PERMISSIONS`',
} as const

function commandEntry(row: Model['commands'][number]): string {
  const facts = [
    `- Answered by: ${ANSWERED_BY[row.answeredBy]}`,
    `- Scopes: ${scopesInWords(row.scopes)}`,
    ...(row.errors.length === 0 ? [] : [`- Errors of its own: ${row.errors.map(code).join(', ')}`]),
    `- Source: ${row.provenance}; since ${row.since}`,
  ]
  return [
    `## ${row.name}`,
    row.summary,
    facts.join('\n'),
    `Arguments:\n\n${fieldsTable(row.args)}`,
    `Answer:\n\n${fieldsTable(row.data)}`,
  ].join('\n\n')
}

const DELIVERY = {
  automatic: 'comes unasked',
  subscription: 'after SUBSCRIBE',
  embedded: "only inside the platform's iframe",
} as const

function eventEntry(row: Model['events'][number]): string {
  const facts = [
    `- Delivery: ${DELIVERY[row.delivery]}`,
    `- Scopes: ${scopesInWords(row.scopes)}`,
    `- Source: ${row.provenance}; since ${row.since}`,
  ]
  return [
    `## ${row.name}`,
    row.summary,
    facts.join('\n'),
    `Arguments of SUBSCRIBE:\n\n${fieldsTable(row.args)}`,
    `Data:\n\n${fieldsTable(row.data)}`,
  ].join('\n\n')
}

const IDEMPOTENCY = {
  safe: 'reads only',
  natural: 'repeating changes nothing more',
  keyed: 'safe to repeat with a nonce',
  none: 'never repeated once sent',
} as const

const uploadInWords = ({ argument, isList, fileLimit, requestLimit }: NonNullable<Model['endpoints'][number]['upload']>): string =>
  `- Files: ${code(argument)} goes out as ${isList ? `the parts ${code(`${argument}[n]`)}` : 'a part'} of a multipart body, the other arguments as ` +
  `${code('payload_json')}; limits: ${code(fileLimit)} for a file, ${code(requestLimit)} for all`

function endpointEntry(row: Model['endpoints'][number]): string {
  const facts = [
    `- Token: ${row.auth}; scopes: ${scopesInWords(row.scopes)}`,
    ...(row.permissions.length === 0 ? [] : [`- Permissions: ${row.permissions.map(code).join(', ')}`]),
    `- Retry: ${IDEMPOTENCY[row.idempotency]}`,
    `- Success: ${row.success.join(', ')}`,
    ...(row.platformErrors.length === 0 ? [] : [`- Platform codes: ${row.platformErrors.join(', ')}`]),
    ...(row.upload === null ? [] : [uploadInWords(row.upload)]),
    ...(row.csvReply === null
      ? []
      : [`- The platform answers a CSV with the header ${code(row.csvReply.header)}, which becomes ${code(row.csvReply.as)}`]),
    ...(row.deprecated === null ? [] : [`- Deprecated: use ${code(row.deprecated)}`]),
    ...(row.audited ? ['- Takes an audit log reason'] : []),
    ...(row.isCommand ? [] : ['- Not a command']),
    ...(row.unavailable === null ? [] : [`- Unavailable since ${row.unavailable.since}: ${row.unavailable.reason}`]),
  ]
  return [
    `## ${row.name}`,
    code(`${row.method} ${row.path}`),
    row.summary,
    facts.join('\n'),
    `Arguments:\n\n${fieldsTable(row.args)}`,
    `Answer:\n\n${fieldsTable(row.response)}`,
  ].join('\n\n')
}

const index = (rows: readonly { readonly name: string; readonly summary: string }[]): string =>
  table(
    ['Name', 'What'],
    rows.map((row) => [`[${row.name}](#${row.name.toLowerCase()})`, row.summary]),
  )

const errorsPage = (model: Model): string =>
  page(
    'Errors and close codes',
    'The same number means different things in the two tables.',
    '## Errors\n\n`data.code` of an answer whose `evt` is `ERROR`. The connection stays open.',
    table(
      ['Code', 'Name', 'Meaning', 'Try again'],
      model.errors.map((row) => [String(row.code), code(row.name), row.summary, row.retryable ? 'may help' : '']),
    ),
    '## Close codes\n\n`code` of a CLOSE frame. The connection ends.',
    table(
      ['Code', 'Name', 'Meaning'],
      model.closeCodes.map((row) => [String(row.code), code(row.name), row.summary]),
    ),
  )

const limitsPage = (model: Model): string =>
  page(
    'Limits',
    'Checked before anything is sent.',
    table(
      ['Name', 'Value', 'Unit', 'What'],
      model.limits.map((row) => [code(row.name), String(row.value), row.unit, row.summary]),
    ),
  )

const scopesPage = (model: Model): string =>
  page(
    'Scopes and permissions',
    'Pseudo scopes belong to a connection; the others are granted by a user.',
    table(
      ['Scope', 'Kind', 'What', 'Stands also for'],
      model.scopes.map((row) => [code(row.name), row.kind, row.summary, (row.expandsTo ?? []).map(code).join(' ')]),
    ),
    '## Permissions of guilds',
    table(
      ['Permission', 'Bit', 'What'],
      model.permissions.map((row) => [code(row.name), `1 << ${row.shift}`, row.summary]),
    ),
  )

const versionsPage = (model: Model): string =>
  page(
    'Versions',
    'What changed at the platform on a known day. A day begins at midnight UTC.',
    table(
      ['Since', 'Id', 'What', 'Touches'],
      model.versions.map((row) => [
        [row.date, row.until === undefined ? '' : `until ${row.until}`, row.announced === undefined ? '' : `(first said: ${row.announced})`]
          .filter((part) => part !== '')
          .join(' '),
        code(row.id),
        row.summary,
        row.rows.map(code).join(' '),
      ]),
    ),
    '## The SDK',
    'Versions have the form MAJOR.MINOR.BUILD. New minors come in April, July and November; the five newest are supported: 1.6 to 1.10 from July 2026. A connection that names an older one in `sdk_version` of its handshake is served, and the log says `sdk-unsupported`.',
  )

function recordsPage(model: Model): string {
  const records = Object.entries(model.$defs).map(([name, schema]) => {
    const description = typeof schema['description'] === 'string' ? schema['description'] : ''
    return `## ${name}\n\n${description}\n\n${fieldsTable(schema)}`
  })
  return page('Records', 'What commands, events and endpoints share. Records from the platform may carry more than is listed.', ...records)
}

/** File names to texts. */
export const emitMarkdown = (model: Model): Readonly<Record<string, string>> => ({
  'commands.md': page(
    'Commands',
    'What a game can ask. `?` marks what may be left out.',
    index(model.commands),
    ...model.commands.map(commandEntry),
  ),
  'events.md': page('Events', 'What a game can be told.', index(model.events), ...model.events.map(eventEntry)),
  'endpoints.md': page(
    'Endpoints',
    "What is forwarded to the platform's HTTP API.",
    index(model.endpoints),
    ...model.endpoints.map(endpointEntry),
  ),
  'errors.md': errorsPage(model),
  'limits.md': limitsPage(model),
  'scopes.md': scopesPage(model),
  'records.md': recordsPage(model),
  'versions.md': versionsPage(model),
})
