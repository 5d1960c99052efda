/** Emits the reference: an index, a page per family of rows, and a page per small table. */
import { LEFT_OUT_FIELDS, type LeftOutFieldsRow, OTHER_KINDS } from '../../src/endpoints/left-out-fields.ts'
import type { EndpointCommand, Model, OwnCommand } from '../model.ts'
import { fieldList, type RecordLink } from './fields.ts'
import { commandSection, endpointSection, eventSection } from './rows.ts'
import { errorsPage, limitsPage, scopesPage, versionsPage, wirePage } from './tables.ts'
import { code, list, page, wrapped } from './text.ts'

interface Row {
  readonly name: string
  readonly family: string
  readonly summary: string
}

/** Rows of one table, as pages in a folder of its name. */
interface Chapter {
  readonly folder: string
  readonly title: string
  readonly intro: string
  readonly rows: readonly Row[]
  readonly sections: ReadonlyMap<string, string>
}

const INDEX_INTRO = `Every command, event and endpoint, by family. Field lists mark optional fields; \`a.b\` is the field \`b\` of the object \`a\`, \`a[].b\`
a field of each item of a list, and \`a.*\` any other key.`

const COMMANDS_INTRO = 'Commands that a game can call.'
const EVENTS_INTRO = 'Events that a game can receive.'
const ENDPOINTS_INTRO = `Operations that the bridge forwards to the platform's HTTP API. Each is also a command with the same name, unless it says otherwise.`

const PAGES = [
  '[The wire](wire.md): frames, and the members of messages',
  '[Records](records.md) that rows share',
  '[Errors and close codes](errors.md)',
  '[Limits](limits.md)',
  '[Scopes and permissions](scopes.md)',
  '[Versions](versions.md): dated changes of the platform',
  '[Operations, fields and events left out](left-out.md), with the reasons',
  '[Requests without a public document](undocumented.md), tried in the sandbox only',
  '[Questions that need the desktop client](without-client.md), and what the bridge answers without it',
]

const titleOf = (family: string): string => {
  const words = family.replaceAll('-', ' ')
  return words[0]?.toUpperCase() + words.slice(1)
}
const firstSentence = (summary: string): string => summary.split(/(?<=[.;])\s/)[0]?.replace(/;$/, '.') ?? ''
const anchor = (heading: string): string => `#${heading.toLowerCase()}`

const isOwn = (row: OwnCommand | EndpointCommand): row is OwnCommand => !('endpoint' in row)

function chaptersOf({ commands, events, endpoints }: Model, link: RecordLink): readonly Chapter[] {
  const own = commands.filter(isOwn)
  const ofEndpoint = new Map(commands.filter((row) => !isOwn(row)).map((row) => [row.name, row as EndpointCommand]))
  const sectionsOf = <One extends Row>(rows: readonly One[], section: (row: One) => string) =>
    new Map(rows.map((row) => [row.name, section(row)]))
  return [
    {
      folder: 'commands',
      title: 'Commands',
      intro: COMMANDS_INTRO,
      rows: own,
      sections: sectionsOf(own, (row) => commandSection(row, link)),
    },
    {
      folder: 'events',
      title: 'Events',
      intro: EVENTS_INTRO,
      rows: events,
      sections: sectionsOf(events, (row) => eventSection(row, link)),
    },
    {
      folder: 'endpoints',
      title: 'Endpoints',
      intro: ENDPOINTS_INTRO,
      rows: endpoints,
      sections: sectionsOf(endpoints, (row) => endpointSection(row, ofEndpoint.get(row.name), link)),
    },
  ]
}

const familiesOf = ({ rows }: Chapter): ReadonlyMap<string, readonly Row[]> => Map.groupBy(rows, ({ family }) => family)

const familyPages = (chapter: Chapter): [string, string][] =>
  [...familiesOf(chapter)].map(([family, rows]) => [
    `${chapter.folder}/${family}.md`,
    page(
      `${chapter.title}: ${titleOf(family).toLowerCase()}`,
      wrapped(`${chapter.intro} All families are in the [index](../README.md).`),
      ...rows.map(({ name }) => chapter.sections.get(name) ?? ''),
    ),
  ])

function chapterIndex(chapter: Chapter): string {
  const families = [...familiesOf(chapter)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const parts = families.map(([family, rows]) => {
    const file = `${chapter.folder}/${family}.md`
    const items = rows.map(({ name, summary }) => `[${name}](${file}${anchor(name)}): ${firstSentence(summary)}`)
    return `### [${titleOf(family)}](${file})\n\n${list(items)}`
  })
  return [`## ${chapter.title}`, wrapped(chapter.intro), ...parts].join('\n\n')
}

function recordsPage(model: Model): string {
  const records = Object.entries(model.$defs).map(([name, schema]) => {
    const description = typeof schema['description'] === 'string' ? [wrapped(schema['description'])] : []
    return [`## ${name}`, ...description, fieldList(schema, anchor)].join('\n\n')
  })
  return page(
    'Records',
    wrapped('Records that commands, events and endpoints share. Records from the platform can contain more fields than listed.'),
    ...records,
  )
}

function leftOutPage({ leftOut, leftOutDispatches }: Model): string {
  const group = (reason: string, names: readonly string[]): string => `${wrapped(reason)}\n\n${list(names.map(code))}`
  const fields = (rows: readonly LeftOutFieldsRow[]) => rows.map((row) => group(row.reason, row.fields))
  return page(
    'Operations, fields and events left out',
    wrapped('Documented operations that the bridge does not forward, by the reason.'),
    ...leftOut.map(({ reason, operations }) => group(reason, operations)),
    '## Fields',
    wrapped(
      'Documented fields of requests that no row has, by the reason. `*` is any row. A call passes such a field of its own on, but it is not checked: see `npm run wire`.',
    ),
    ...fields(LEFT_OUT_FIELDS),
    '## Fields of another kind',
    ...fields(OTHER_KINDS),
    '## Events of the gateway',
    wrapped('Dispatches of the gateway that are no event for games, by the reason.'),
    ...leftOutDispatches.map(({ reason, dispatches }) => group(reason, dispatches)),
  )
}

const rowList = (rows: readonly Row[], folder: string): string =>
  list(rows.map(({ name, family, summary }) => `[${name}](${folder}/${family}.md${anchor(name)}): ${firstSentence(summary)}`))

function undocumentedPage({ endpoints }: Model): string {
  return page(
    'Requests without a public document',
    wrapped(
      'No public document describes these requests of the HTTP API. They were observed in clients of the platform, and tried in the sandbox only: the platform may refuse or change them. What the bridge does by them rests on that too.',
    ),
    rowList(
      endpoints.filter(({ provenance }) => provenance === 'observed'),
      'endpoints',
    ),
  )
}

function withoutClientPage({ commands }: Model): string {
  const own = commands.filter((row): row is OwnCommand => row.handledBy !== 'api' && row.name.startsWith('GET_'))
  const limited = own.filter(({ withoutClient }) => withoutClient !== undefined)
  return page(
    'Questions that need the desktop client',
    wrapped("These commands answer 1001 while the platform's desktop client does not run."),
    rowList(
      own.filter(({ handledBy }) => handledBy === 'desktop-client'),
      'commands',
    ),
    '## Answered with less',
    wrapped('The bridge answers these itself where no client runs, from what the platform gives.'),
    list(limited.map(({ name, family, withoutClient = '' }) => `[${name}](commands/${family}.md${anchor(name)}): ${withoutClient}`)),
  )
}

/** File names to texts. */
export function emitReference(model: Model): Readonly<Record<string, string>> {
  const chapters = chaptersOf(model, (record) => `../records.md${anchor(record)}`)
  return {
    'README.md': page('Reference', wrapped(INDEX_INTRO), list(PAGES), ...chapters.map(chapterIndex)),
    ...Object.fromEntries(chapters.flatMap(familyPages)),
    'errors.md': errorsPage(model),
    'left-out.md': leftOutPage(model),
    'undocumented.md': undocumentedPage(model),
    'without-client.md': withoutClientPage(model),
    'limits.md': limitsPage(model),
    'scopes.md': scopesPage(model),
    'records.md': recordsPage(model),
    'versions.md': versionsPage(model),
    'wire.md': wirePage(model),
  }
}
