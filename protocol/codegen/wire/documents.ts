/**
 * The operations of the platform's public documents, with the names of the fields of their requests. Markdown: a heading names method and path, or a
 * `Route` element does; tables under headings such as "JSON Params" and "Query String Params" have the fields in their first column.
 */
import { type Fields, type Kinds } from './fields.ts'
import type { DescribedOperation } from './description.ts'

const ROUTE = /<Route\s+method="([A-Z]+)"\s*>([\s\S]*?)<\/Route>/
const HEADING_ROUTE = /^#+ .* % (GET|POST|PUT|PATCH|DELETE) (\/\S+)/m
const SECTION = /^(?=## )/m
const TABLE_HEADING = /^#{3,6} (.*(?:Params|Parameters).*)$/gm
const QUERY = /quer/i
const BODY = /json|form|body/i

/** `[\{channel.id\}](/link)` and `{channel.id#DOCS}` become `{channel.id}`. */
const pathOf = (text: string): string =>
  text
    .trim()
    .replaceAll('\\', '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/#[^}]*\}/g, '}')
    .replace(/\?.*$/, '')

const UNKNOWN: Kinds = new Set()

/** The first cells of the first table in `text`: `content?\*` is the field content. */
function namesIn(text: string): readonly string[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /^\|[\s:|-]+\|?$/.test(line.trim()))
  if (start === -1) return []
  const rows = lines.slice(start + 1)
  const end = rows.findIndex((line) => !line.trim().startsWith('|'))
  return rows
    .slice(0, end === -1 ? undefined : end)
    .flatMap((line) => /^[\w.]+/.exec((line.split('|')[1] ?? '').replaceAll(/[\\`*\s]/g, ''))?.[0] ?? [])
}

/** What follows each heading of a table, until the next heading. */
function tablesOf(section: string): readonly { readonly heading: string; readonly names: readonly string[] }[] {
  return [...section.matchAll(TABLE_HEADING)].map(({ 0: whole, 1: heading = '', index }) => {
    const [text = ''] = section.slice(index + whole.length).split(/^#+ /m)
    return { heading, names: namesIn(text) }
  })
}

const fieldsIn = (names: readonly string[]): Fields => new Map(names.map((name) => [name, UNKNOWN]))

/** The operations in the text of one document. */
export function documentedOperations(text: string): readonly DescribedOperation[] {
  return text.split(SECTION).flatMap((section) => {
    const [, method, path] = ROUTE.exec(section) ?? HEADING_ROUTE.exec(section) ?? []
    if (method === undefined || path === undefined) return []
    const tables = tablesOf(section)
    const named = (kind: RegExp): readonly string[] => tables.filter(({ heading }) => kind.test(heading)).flatMap(({ names }) => names)
    return [{ line: `${method} ${pathOf(path)}`, query: fieldsIn(named(QUERY)), body: fieldsIn(named(BODY)) }]
  })
}
