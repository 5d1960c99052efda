/** Compares an endpoint row and its requests with the operation in the description; returns one sentence per difference. */
import type { EndpointRow } from '@sallyport/protocol'
import { type Args, requestBuilder } from '#daemon/src/platform/api/request.ts'
import { type Description, type Operation, problems, type Schema } from './description.ts'

const BASE = 'http://platform.test'

/** Returns unique sentences in order. `samples` are arguments that the row accepts. */
export function differencesOf(row: EndpointRow, samples: readonly Args[], description: Description): readonly string[] {
  const operation = description.operation(row.method, row.path)
  if (operation === undefined) return ['the description does not list it']
  const build = requestBuilder(row, BASE, 'tests')
  return [
    ...new Set([
      ...pathParameters(row, operation),
      ...success(row, operation),
      ...auth(row, operation),
      ...scopes(row, operation, description),
      ...samples.flatMap((args) => requestProblems(build(withFiles(row, args), undefined), row, operation, description)),
    ]),
  ]
}

const inWords = (list: Iterable<unknown>): string => [...list].join(', ') || 'none'

function compared(what: string, here: Iterable<unknown>, described: Iterable<unknown>): readonly string[] {
  const [ours, theirs] = [inWords(here), inWords(described)]
  return ours === theirs ? [] : [`${what}: ${ours} here, ${theirs} described`]
}

const pathParameters = (row: EndpointRow, { path }: Operation): readonly string[] =>
  compared(
    'path parameters',
    row.pathParameters,
    [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
  )

const success = (row: EndpointRow, { object }: Operation): readonly string[] =>
  compared(
    'success',
    row.success.map(String).toSorted(),
    Object.keys(object.responses)
      .filter((status) => /^2\d\d$/.test(status))
      .toSorted(),
  )

type Kind = 'bot' | 'user' | 'none'
const KINDS: Readonly<Record<EndpointRow['auth'], readonly Kind[]>> = {
  user: ['user'],
  bot: ['bot'],
  'user-or-bot': ['bot', 'user'],
  client: ['none'],
  interaction: ['none'],
  none: ['bot', 'none'],
}

function describedKinds({ object }: Operation): readonly Kind[] {
  const { security = [{}] } = object
  const has = (scheme: string) => security.some((one) => scheme in one)
  const isOpen = security.some((one) => Object.keys(one).length === 0)
  return [...(has('BotToken') ? ['bot' as const] : []), ...(isOpen ? ['none' as const] : []), ...(has('OAuth2') ? ['user' as const] : [])]
}

const auth = (row: EndpointRow, operation: Operation): readonly string[] => compared('token of', KINDS[row.auth], describedKinds(operation))

/** An empty list of scopes hides the required scopes; a list of all scopes means any. */
function scopes(row: EndpointRow, { object }: Operation, description: Description): readonly string[] {
  const listed = new Set(object.security?.flatMap((one) => one['OAuth2'] ?? []))
  if (row.auth === 'bot' || row.auth === 'client' || listed.size === 0) return []
  const any = [...description.scopes].every((scope) => listed.has(scope))
  return compared('scopes', row.requires.flat().toSorted(), any ? [] : [...listed].toSorted())
}

/** Files as the daemon opens them, distinguished only by name. */
function withFiles({ upload }: EndpointRow, args: Args): Args {
  const given = upload === undefined ? undefined : args[upload.argument]
  if (upload === undefined || given === undefined) return args
  const opened = [given].flat().map(() => ({ filename: 'file', contentType: upload.contentType, bytes: 0, chunks: noBytes }))
  return { ...args, [upload.argument]: upload.isList ? opened : opened[0] }
}
async function* noBytes(): AsyncGenerator<Uint8Array> {}

type Request = ReturnType<ReturnType<typeof requestBuilder>>

function requestProblems(request: Request, row: EndpointRow, operation: Operation, description: Description): readonly string[] {
  const url = new URL(request.url)
  return [
    ...pathProblems(url, row, operation, description),
    ...queryProblems(url, operation, description),
    ...bodyProblems(request, operation, description),
  ]
}

function pathProblems(url: URL, row: EndpointRow, operation: Operation, description: Description): readonly string[] {
  const sent = url.pathname.split('/')
  const template = operation.path.split('/')
  if (sent.length !== row.path.split('/').length) return [`path: ${url.pathname} has a different number of parts`]
  return template.flatMap((part, index) => {
    const name = /^\{([^}]+)\}$/.exec(part)?.[1]
    if (name === undefined) return part === decodeURIComponent(sent[index] ?? '') ? [] : [`path: ${url.pathname} is not ${operation.path}`]
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    if (parameter === undefined) return [`path parameter ${name}: not described`]
    const problem = description.parameter(parameter)([decodeURIComponent(sent[index] ?? '')])
    return problem === undefined ? [] : [`path parameter ${name}: ${problem}`]
  })
}

function queryProblems(url: URL, operation: Operation, description: Description): readonly string[] {
  const described = operation.parameters.filter((one) => one.in === 'query')
  const missing = described.filter(({ name, required }) => required === true && !url.searchParams.has(name))
  const names = [...new Set(url.searchParams.keys())]
  return [
    ...missing.map(({ name }) => `query ${name}: required, not sent`),
    ...names.flatMap((name) => {
      const parameter = described.find((one) => one.name === name)
      if (parameter === undefined) return [`query ${name}: not described`]
      const problem = description.parameter(parameter)(url.searchParams.getAll(name))
      return problem === undefined ? [] : [`query ${name}: ${problem}`]
    }),
  ]
}

function bodyProblems(request: Request, operation: Operation, description: Description): readonly string[] {
  const { body, multipart, headers } = request
  const described = operation.object.requestBody
  if (body === undefined && multipart === undefined) return described?.required === true ? ['body: required, not sent'] : []
  if (described === undefined) return ['body: sent, not described']
  const contentType = (headers['content-type'] ?? '').split(';')[0] ?? ''
  const content = described.content[contentType]
  if (content === undefined) return [`body: ${contentType} is not among ${inWords(Object.keys(described.content))}`]
  const value = valueOf(request, contentType)
  if (value === undefined) return [`body: ${contentType} cannot be checked here`]
  const check = description.body(operation, contentType)
  return [
    ...(check(value) ? [] : problems(check).map((problem) => `body ${problem}`)),
    ...unknownFields(value, content.schema, '', description).map((path) => `body field ${path}: not described`),
  ]
}

/** The body in the form of the description, which lists multipart parts beside the JSON fields. */
function valueOf({ body, multipart }: Pick<Request, 'body' | 'multipart'>, contentType: string): unknown {
  if (multipart === undefined) return contentType === 'application/json' ? JSON.parse(body ?? '') : undefined
  const files = multipart.files.map(({ part }) => [part, ''])
  return { ...multipart.fields, ...(JSON.parse(multipart.payload ?? '{}') as object), ...Object.fromEntries(files) }
}

/** Fields without a described schema. Validation alone would accept a misspelt field. */
function unknownFields(value: unknown, schema: Schema, path: string, description: Description): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const known = description.resolved(schema)
  const alternatives = (known['oneOf'] ?? known['anyOf']) as readonly Schema[] | undefined
  if (alternatives !== undefined) {
    const found = alternatives.map((one) => unknownFields(value, one, path, description))
    return found.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  if (Array.isArray(known['allOf'])) {
    const [first = [], ...others] = (known['allOf'] as readonly Schema[]).map((one) => unknownFields(value, one, path, description))
    return first.filter((one) => others.every((list) => list.includes(one)))
  }
  if (Array.isArray(value)) {
    const { items } = known as { items?: Schema }
    if (items === undefined) return value.length === 0 || known['type'] === 'array' ? [] : [path]
    return [...new Set(value.flatMap((item) => unknownFields(item, items, `${path}[]`, description)))]
  }
  const { properties = {}, additionalProperties } = known as {
    properties?: Record<string, Schema>
    additionalProperties?: Schema | boolean
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`
    const property = properties[name]
    if (property !== undefined) return unknownFields(inner, property, at, description)
    if (typeof additionalProperties === 'object') return unknownFields(inner, additionalProperties, at, description)
    return known['type'] === undefined || additionalProperties === true ? [] : [at]
  })
}
