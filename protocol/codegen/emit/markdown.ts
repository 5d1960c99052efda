/** Emits the reference pages: one page per table, one heading per row. */
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

const HANDLED_BY = {
  bridge: 'the bridge',
  api: "the platform's HTTP API",
  'desktop-client': "the platform's desktop client if it runs; else `SERVICE_UNAVAILABLE`",
  embedded: 'not available over a local socket: `INVALID_PERMISSIONS`',
} as const

function commandEntry(row: Model['commands'][number]): string {
  const facts = [
    `- Handled by: ${HANDLED_BY[row.handledBy]}`,
    `- Scopes: ${scopesInWords(row.scopes)}`,
    ...(row.errors.length === 0 ? [] : [`- Additional errors: ${row.errors.map(code).join(', ')}`]),
    `- Source: ${row.provenance}; since ${row.since}`,
  ]
  return [
    `## ${row.name}`,
    row.summary,
    facts.join('\n'),
    `Arguments:\n\n${fieldsTable(row.args)}`,
    `Response:\n\n${fieldsTable(row.data)}`,
  ].join('\n\n')
}

const DELIVERY = {
  automatic: 'automatic',
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
  natural: 'a repeat has no further effect',
  keyed: 'safe to repeat with a nonce',
  none: 'never retried once sent',
} as const

const uploadInWords = ({ argument, isList, fileLimit, requestLimit }: NonNullable<Model['endpoints'][number]['upload']>): string =>
  `- Files: ${code(argument)} is sent as ${isList ? `the parts ${code(`${argument}[n]`)}` : 'a part'} of a multipart body, with the other arguments in ` +
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
      : [`- The platform returns a CSV with the header ${code(row.csvReply.header)}, which becomes ${code(row.csvReply.as)}`]),
    ...(row.deprecated === null ? [] : [`- Deprecated: use ${code(row.deprecated)}`]),
    ...(row.audited ? ['- Accepts an audit log reason'] : []),
    ...(row.isCommand ? [] : ['- Not a command']),
    ...(row.unavailable === null ? [] : [`- Unavailable since ${row.unavailable.since}: ${row.unavailable.reason}`]),
  ]
  return [
    `## ${row.name}`,
    code(`${row.method} ${row.path}`),
    row.summary,
    facts.join('\n'),
    `Arguments:\n\n${fieldsTable(row.args)}`,
    `Response:\n\n${fieldsTable(row.response)}`,
  ].join('\n\n')
}

const index = (rows: readonly { readonly name: string; readonly summary: string }[]): string =>
  table(
    ['Name', 'Description'],
    rows.map((row) => [`[${row.name}](#${row.name.toLowerCase()})`, row.summary]),
  )

const errorsPage = (model: Model): string =>
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

const limitsPage = (model: Model): string =>
  page(
    'Limits',
    'Checked before a request is sent.',
    table(
      ['Name', 'Value', 'Unit', 'Description'],
      model.limits.map((row) => [code(row.name), String(row.value), row.unit, row.summary]),
    ),
  )

const scopesPage = (model: Model): string =>
  page(
    'Scopes and permissions',
    'Pseudo scopes belong to a connection; a user grants the other scopes.',
    table(
      ['Scope', 'Kind', 'Description', 'Includes'],
      model.scopes.map((row) => [code(row.name), row.kind, row.summary, (row.expandsTo ?? []).map(code).join(' ')]),
    ),
    '## Guild permissions',
    table(
      ['Permission', 'Bit', 'Description'],
      model.permissions.map((row) => [code(row.name), `1 << ${row.shift}`, row.summary]),
    ),
  )

const versionsPage = (model: Model): string =>
  page(
    'Versions',
    'Dated changes of the platform. A day begins at midnight UTC.',
    table(
      ['Since', 'Id', 'Change', 'Affects'],
      model.versions.map((row) => [
        [
          row.date,
          row.until === undefined ? '' : `until ${row.until}`,
          row.announced === undefined ? '' : `(first announced: ${row.announced})`,
        ]
          .filter((part) => part !== '')
          .join(' '),
        code(row.id),
        row.summary,
        row.rows.map(code).join(' '),
      ]),
    ),
    '## The SDK',
    'Versions have the form MAJOR.MINOR.BUILD. New minor versions are released in April, July and November; the five newest are supported: 1.6 to 1.10 from July 2026. A connection with an older version in `sdk_version` of its handshake is accepted, and the daemon logs `sdk-unsupported`.',
  )

function recordsPage(model: Model): string {
  const records = Object.entries(model.$defs).map(([name, schema]) => {
    const description = typeof schema['description'] === 'string' ? schema['description'] : ''
    return `## ${name}\n\n${description}\n\n${fieldsTable(schema)}`
  })
  return page(
    'Records',
    'Records that commands, events and endpoints share. Records from the platform can contain more fields than listed.',
    ...records,
  )
}

/** File names to texts. */
export const emitMarkdown = (model: Model): Readonly<Record<string, string>> => ({
  'commands.md': page(
    'Commands',
    'Commands that a game can call. `?` marks optional arguments.',
    index(model.commands),
    ...model.commands.map(commandEntry),
  ),
  'events.md': page('Events', 'Events that a game can receive.', index(model.events), ...model.events.map(eventEntry)),
  'endpoints.md': page(
    'Endpoints',
    "Operations that the bridge forwards to the platform's HTTP API.",
    index(model.endpoints),
    ...model.endpoints.map(endpointEntry),
  ),
  'errors.md': errorsPage(model),
  'limits.md': limitsPage(model),
  'scopes.md': scopesPage(model),
  'records.md': recordsPage(model),
  'versions.md': versionsPage(model),
})
