/** Compares recorded answers and events of the sandbox with the platform's description. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Description, Operation } from '../openapi/description.ts'
import { EVENTS, type EventRecord } from './events.ts'
import { Shape } from './shape.ts'

interface Answer {
  readonly method: string
  /** With the query. */
  readonly url: string
  readonly status: number
  readonly type?: string
  readonly body: string
}

interface Dispatch {
  readonly t: string
  readonly d: unknown
}

export interface Verdict {
  /** All answers and events, also those that differ from an earlier one in numbers only. */
  readonly count: number
  /** Operations of which an answer was compared, as `GET /users/@me`. */
  readonly operations: ReadonlySet<string>
  /** Events that were compared. */
  readonly events: ReadonlySet<string>
  /** By difference: the operations and events with it. */
  readonly differences: ReadonlyMap<string, ReadonlySet<string>>
  /** What the description lacks: operations and events, with how often they were seen. */
  readonly undescribed: ReadonlyMap<string, number>
  /** Answers with a status of 500 and above, which the description does not speak of. */
  readonly faults: number
}

/** Reads the records of a folder. */
export const recordsIn = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))

/** `lines`: JSON records; an empty line stands for one like an earlier one. */
export function judge(lines: readonly string[], description: Description): Verdict {
  const shape = new Shape(description)
  const operations = new Set<string>()
  const events = new Set<string>()
  const differences = new Map<string, Set<string>>()
  const undescribed = new Map<string, number>()
  let faults = 0
  const note = (where: string, found: readonly string[]): void => {
    for (const one of found) differences.set(one, (differences.get(one) ?? new Set()).add(where))
  }
  const lacks = (what: string): void => void undescribed.set(what, (undescribed.get(what) ?? 0) + 1)

  const answer = ({ method, url, status, type, body }: Answer): void => {
    const path = (url.split('?')[0] ?? '').replace(/^\/api(?:\/v\d+)?/, '')
    const operation = description.operationAt(method, path)
    if (operation === undefined) return lacks(`${method} ${path.replaceAll(/\/(?:\d+|[^/]*[^a-z@/_-][^/]*)(?=\/|$)/g, '/{}')}`)
    if (status >= 500) return void faults++
    const name = `${method} ${operation.path}`
    operations.add(name)
    note(name, answerDifferences({ name, status, type, body }, operation, description, shape))
  }

  const event = ({ t, d }: Dispatch): void => {
    const record: EventRecord | undefined = EVENTS[t]
    if (record === undefined) return lacks(t)
    events.add(t)
    note(t, eventDifferences(t, d, record, shape))
  }

  for (const line of lines) {
    if (line === '') continue
    const record = JSON.parse(line) as Answer | Dispatch
    if ('t' in record) event(record)
    else answer(record)
  }
  return { count: lines.length, operations, events, differences, undescribed, faults }
}

interface Named {
  readonly name: string
  readonly status: number
  readonly type: string | undefined
  readonly body: string
}

function answerDifferences(
  { name, status, type, body }: Named,
  operation: Operation,
  description: Description,
  shape: Shape,
): readonly string[] {
  const described = description.response(operation, status)
  if (described === undefined) return [`${name}: status ${status} is not described`]
  const [contentType = ''] = (type ?? '').split(';')
  if (described.content === undefined) return body === '' ? [] : [`${name} ${status}: a body is not described`]
  const schema = described.content[contentType]?.schema
  if (schema === undefined) return [`${name} ${status}: ${contentType || 'no type'} is not described`]
  if (contentType !== 'application/json') return []
  const value = parsed(body)
  return value === undefined ? [`${name} ${status}: no JSON`] : shape.differences(value, schema, `${name} ${status}`)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {})

/** An event is a record, or has some in its fields; beside them it has fields of its own. */
function eventDifferences(t: string, d: unknown, { record, fields = {}, own = [] }: EventRecord, shape: Shape): readonly string[] {
  const data = fieldsOf(d)
  const inside = Object.entries(fields).flatMap(([name, of]) => {
    const value = data[name]
    if (value === undefined) return []
    return shape.differences(value, Array.isArray(value) ? { items: oneOf(of) } : oneOf(of), `${t}.${name}`)
  })
  if (record === undefined) return inside
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !own.includes(name) && !(name in fields)))
  return [...inside, ...shape.differences(rest, oneOf(record), t)]
}

const oneOf = (records: string | readonly string[]) =>
  typeof records === 'string' ? reference(records) : { oneOf: records.map(reference) }
const reference = (record: string) => ({ $ref: `#/components/schemas/${record}` })
