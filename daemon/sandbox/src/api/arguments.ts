/** Collects the arguments of an operation from path, query and body, and checks them against its row. */
import type { EndpointRow, FileUpload } from '@sallyport/protocol'
import type * as z from 'zod'
import type { Call, MultipartBody, ReceivedFile } from '../http/exchange.ts'
import { jsonBody } from '../http/form.ts'
import { PlatformError } from '../platform-error.ts'
import { formErrors, PARSE_OPTIONS } from './form-errors.ts'

/** A row with an object of arguments, as from defineEndpoint. */
export type ObjectRow = EndpointRow<string, z.ZodObject>

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['True', true],
  ['true', true],
  ['1', true],
  ['False', false],
  ['false', false],
  ['0', false],
])

/** Converts query texts to the types of the schema. The schema refuses a text that cannot be converted. */
export function fromQuery(schema: z.ZodType, values: readonly string[]): unknown {
  const kind = baseKind(schema)
  const [text = ''] = values
  if (kind === 'array') return values
  if (kind === 'boolean') return BOOLEANS.get(text) ?? text
  if (kind === 'number') return /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : text
  return text
}

/** The kind of a schema without optional, nullable and similar wrappers. */
function baseKind(schema: z.core.$ZodType): string {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType; values?: readonly unknown[] } }
  if (def.type === 'literal') return typeof def.values?.[0]
  return def.innerType === undefined ? def.type : baseKind(def.innerType)
}

/** Parses the arguments. Throws invalidForm with field errors. Like the platform, it ignores unknown body fields and query parameters. */
export function parseArguments(row: ObjectRow, call: Call): unknown {
  const parsed = row.args.safeParse(collected(row, call), PARSE_OPTIONS)
  if (parsed.success) return parsed.data
  throw new PlatformError('invalidForm', { errors: formErrors(parsed.error.issues, row.bodyArgument) })
}

/** Whether the arguments match the row. Throws for an unreadable body. */
export const matchesRow = (row: ObjectRow, call: Call): boolean => row.args.safeParse(collected(row, call)).success

function collected(row: ObjectRow, { request, params, parts }: Call): Record<string, unknown> {
  const { shape } = row.args
  const given: Record<string, unknown> = {}
  for (const name of row.queryParameters) {
    const values = request.query.getAll(name)
    const schema = shape[name] as z.ZodType | undefined
    if (values.length > 0 && schema !== undefined) given[name] = fromQuery(schema, values)
  }
  if (row.method !== 'GET') Object.assign(given, bodyArguments(row, bodyOf(row, request, parts)))
  if (row.upload !== undefined && parts !== undefined) given[row.upload.argument] = filePlaceholders(row.upload, parts)
  const reason = request.headers['x-audit-log-reason']
  if (row.reasonArgument !== undefined && typeof reason === 'string') given[row.reasonArgument] = decodedReason(reason)
  const ofPath = Object.entries(params).map(([name, value]) => [name, fromQuery(shape[name] as z.ZodType, [value])])
  return { ...given, ...(Object.fromEntries(ofPath) as Record<string, unknown>) }
}

function bodyOf({ upload }: ObjectRow, request: Call['request'], parts: MultipartBody | undefined): unknown {
  if (parts === undefined) return jsonBody(request)
  return upload?.asFields === true ? parts.fields : parts.payload
}

/** Placeholders for the schema, which checks number and names of files; the bytes stay in the parts. */
function filePlaceholders({ argument, isList }: FileUpload, { files }: MultipartBody): unknown {
  const names = filesOf({ argument, isList }, files).map(({ filename }) => ({ filename, data: '' }))
  return isList ? names : names[0]
}

/** The files of an upload, in the order in which the request numbers them. */
export function filesOf({ argument, isList }: Pick<FileUpload, 'argument' | 'isList'>, files: readonly ReceivedFile[]): ReceivedFile[] {
  if (!isList) return files.filter(({ part }) => part === argument)
  const placeOf = ({ part }: ReceivedFile): number => {
    const place = /^\[([0-9]{1,3})\]$/.exec(part.startsWith(argument) ? part.slice(argument.length) : '')?.[1]
    return place === undefined ? -1 : Number(place)
  }
  return files.filter((file) => placeOf(file) >= 0).toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Decodes a percent-encoded reason; other text stays as it is. */
function decodedReason(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function bodyArguments(row: ObjectRow, body: unknown): Record<string, unknown> {
  if (row.bodyArgument !== undefined) return body === undefined ? {} : { [row.bodyArgument]: body }
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new PlatformError('invalidForm', {
      errors: { _errors: [{ code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' }] },
    })
  }
  // Files are separate parts, never JSON fields.
  const other = new Set([...row.pathParameters, ...row.queryParameters, row.reasonArgument, row.asBotArgument, row.upload?.argument])
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(row.args.shape, name) && !other.has(name)))
}
