/** Builds HTTP requests from an endpoint row, arguments and a credential. Pure; values that depend only on the row are computed once. */
import type { EndpointRow, FileUpload } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { multipart } from './multipart.ts'
import type { Credential, HttpRequest, OutgoingFile } from './forwarder-port.ts'

export type Args = Readonly<Record<string, unknown>>

/**
 * Builds the requests of one row; files are OutgoingFile values in the arguments. Throws INVALID_PAYLOAD for a path argument that would
 * change the path structure.
 */
export type RequestBuilder = (args: Args, credential: Credential | undefined) => HttpRequest

const AUTHORIZATION_SCHEME = { user: 'Bearer', bot: 'Bot' } as const satisfies Record<Credential['kind'], string>

const ENCODINGS = {
  json: { contentType: 'application/json', encode: (body: unknown) => JSON.stringify(body) },
  form: { contentType: 'application/x-www-form-urlencoded', encode: (body: unknown) => pairs(body as Args).toString() },
} as const satisfies Record<EndpointRow['encoding'], { contentType: string; encode: (body: unknown) => string }>

const NO_HEADERS = {}

const PLACEHOLDER = /\{([^}]+)\}/g

export function requestBuilder(row: EndpointRow, baseUrl: string, userAgent: string): RequestBuilder {
  const { method, queryParameters, hasBody, bodyArgument, reasonArgument } = row
  const encoding = ENCODINGS[row.encoding]
  // Split with one capture group: literal, name, literal, name, …, literal.
  const pieces = `${baseUrl}${row.path}`.split(PLACEHOLDER)
  const others = [reasonArgument, row.asBotArgument].filter((name) => name !== undefined)
  // An empty file list is not part of the body either.
  const { argument, limitArgument } = row.upload ?? {}
  const notInBody = new Set([
    ...row.pathParameters,
    ...queryParameters,
    ...others,
    ...(argument === undefined ? [] : [argument]),
    ...(limitArgument === undefined ? [] : [limitArgument]),
  ])
  // What else a call has is unknown to the row. Its place is the body, but a GET or DELETE and a body that is a list have none for it.
  const isBodyFixed = !hasBody || bodyArgument !== undefined
  const isUnknownInQuery = bodyArgument !== undefined || method === 'GET' || method === 'DELETE'
  const known = isBodyFixed ? new Set([...notInBody, bodyArgument]) : undefined
  const upload = row.upload === undefined ? undefined : uploadBuilder(row, row.upload, notInBody)
  const plainHeaders = { 'user-agent': userAgent, accept: row.csvReply === undefined ? 'application/json' : 'text/csv, application/json' }
  const ownHeaders = hasBody ? { 'content-type': encoding.contentType, ...plainHeaders } : plainHeaders

  return (args, credential) => {
    let url = pieces[0] ?? ''
    for (let index = 1; index < pieces.length; index += 2) {
      const name = pieces[index] ?? ''
      url += pathSegment(name, args[name]) + (pieces[index + 1] ?? '')
    }
    const unknown = known === undefined ? undefined : unknownArguments(args, known)
    if (queryParameters.length > 0 || unknown !== undefined) {
      url += queryText(queryParameters, args, isUnknownInQuery ? unknown : undefined)
    }
    const parts = upload?.(args)
    const headers = {
      ...ownHeaders,
      ...(parts === undefined ? NO_HEADERS : parts.headers),
      ...(credential === undefined ? NO_HEADERS : authorization(credential)),
      ...(reasonArgument === undefined ? NO_HEADERS : reasonHeader(reasonArgument, args[reasonArgument])),
    }
    if (parts !== undefined) return { method, url, headers, multipart: parts.body }
    if (!hasBody) return unknown === undefined || isUnknownInQuery ? { method, url, headers } : withBody(method, url, headers, unknown)
    return { method, url, headers, body: encoding.encode(bodyArgument === undefined ? without(args, notInBody) : args[bodyArgument]) }
  }
}

/** A body on a row that has none by itself. */
const withBody = (method: string, url: string, headers: HttpRequest['headers'], body: Args): HttpRequest => ({
  method,
  url,
  headers: { ...headers, 'content-type': ENCODINGS.json.contentType },
  body: ENCODINGS.json.encode(body),
})

/** Undefined where there are none, which is nearly always. */
function unknownArguments(args: Args, known: ReadonlySet<string | undefined>): Args | undefined {
  for (const name in args) if (!known.has(name) && args[name] !== undefined) return without(args, known)
  return undefined
}

/** Builds the multipart body and its headers; undefined for calls without files. */
function uploadBuilder(row: EndpointRow, { argument, isList, asFields }: FileUpload, notInBody: ReadonlySet<string>) {
  const hasPayload = argumentNames(row).some((name) => !notInBody.has(name))
  return (args: Args) => {
    const given = args[argument] as OutgoingFile | readonly OutgoingFile[] | null | undefined
    const files = [given ?? []].flat() as readonly OutgoingFile[]
    if (files.length === 0) return undefined
    const named = files.map((file, index) => ({ part: isList ? `${argument}[${index}]` : argument, file }))
    const others = without(args, notInBody)
    const { contentType, body } =
      asFields === true
        ? multipart(undefined, named, texts(others))
        : multipart(hasPayload || hasAny(others) ? JSON.stringify(others) : undefined, named)
    return { body, headers: { 'content-type': contentType, 'content-length': String(body.bytes) } }
  }
}

function hasAny(values: Args): boolean {
  for (const _ in values) return true
  return false
}

/** Text parts; null and undefined are omitted. Known arguments of rows with text parts are texts. */
const texts = (values: Args): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [[name, plainText(name, value, 'part of a form')]])),
  )

function argumentNames(row: EndpointRow): readonly string[] {
  return 'shape' in row.args && typeof row.args.shape === 'object' && row.args.shape !== null ? Object.keys(row.args.shape) : []
}

/** Rejects dot segments, because percent-encoding keeps them and they would change the path. */
function pathSegment(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (text === '' || text === '.' || text === '..') throw new BridgeError('INVALID_PAYLOAD', `${name} must be an id.`, { path: name })
  return encodeURIComponent(text)
}

const authorization = ({ kind, token }: Credential) => ({ authorization: `${AUTHORIZATION_SCHEME[kind]} ${token.reveal()}` })

/** Percent-encoded, because a header allows neither line breaks nor most Unicode characters. */
function reasonHeader(name: string, value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'string') return {}
  if (!value.isWellFormed()) throw new BridgeError('INVALID_PAYLOAD', `${name} must be well-formed Unicode text.`, { path: name })
  return { 'x-audit-log-reason': encodeURIComponent(value) }
}

function queryText(names: readonly string[], args: Args, unknown: Args | undefined): string {
  const present = names.filter((name) => args[name] !== undefined)
  if (present.length === 0 && unknown === undefined) return ''
  const text = pairs({ ...Object.fromEntries(present.map((name) => [name, args[name]])), ...unknown }).toString()
  return text === '' ? '' : `?${text}`
}

/** Arrays repeat their key; null and undefined are omitted. */
function pairs(values: Args): URLSearchParams {
  const result = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) result.append(name, plainText(name, item, 'query or form'))
    }
  }
  return result
}

/** Known arguments outside a JSON body are plain; an unknown one may be an object, for which there is no form. */
function plainText(name: string, value: unknown, place: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new BridgeError('INVALID_PAYLOAD', `"${name}" cannot be an object or a nested list, because it is sent in a ${place}.`, {
    path: name,
  })
}

function without(args: Args, names: ReadonlySet<string | undefined>): Args {
  const rest: Record<string, unknown> = {}
  for (const name in args) if (!names.has(name)) rest[name] = args[name]
  return rest
}
