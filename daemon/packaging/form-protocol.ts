/** Makes what the form of the dashboard needs of protocol/generated/protocol.json: names, summaries, and the schemas of arguments. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const PROTOCOL = resolve(import.meta.dirname, '../../protocol/generated/protocol.json')

interface Row {
  readonly name: string
  readonly summary?: string
  readonly scopes: unknown
  readonly args?: unknown
  /** The endpoint that the command calls, which has its summary and arguments. */
  readonly endpoint?: string
}

interface Protocol {
  readonly commands: readonly Row[]
  readonly events: readonly Row[]
  readonly endpoints: readonly Row[]
  readonly $defs: Readonly<Record<string, unknown>>
}

const REFERENCE = '#/$defs/'

/** Adds the names of the definitions that a schema refers to, at any depth. */
function addReferences(schema: unknown, defs: Protocol['$defs'], found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, value] of Object.entries(schema)) {
    if (name !== '$ref' || typeof value !== 'string') addReferences(value, defs, found)
    else if (!found.has(value.slice(REFERENCE.length))) {
      found.add(value.slice(REFERENCE.length))
      addReferences(defs[value.slice(REFERENCE.length)], defs, found)
    }
  }
}

/** Compressed by gzip, in base64. */
export async function formProtocol(): Promise<string> {
  const { commands, events, endpoints, $defs } = JSON.parse(await readFile(PROTOCOL, 'utf8')) as Protocol
  const endpointOf = new Map(endpoints.map((row) => [row.name, row]))
  const shown = ({ name, scopes, endpoint, ...own }: Row) => {
    const { summary, args } = { ...own, ...(endpoint === undefined ? {} : endpointOf.get(endpoint)) }
    return { name, summary, scopes, args }
  }
  const rows = { commands: commands.map(shown), events: events.map(shown) }
  const used = new Set<string>()
  addReferences(rows, $defs, used)
  const definitions = Object.fromEntries(Object.entries($defs).filter(([name]) => used.has(name)))
  return gzipSync(JSON.stringify({ ...rows, $defs: definitions }), { level: 9 }).toString('base64')
}
