/** The HTTP request that an endpoint row describes for given arguments, computed without the daemon. */
import type { EndpointRow, FileInput } from '@sallyport/protocol'
import type { SeenFile, SeenRequest } from './platform.ts'

type Args = Readonly<Record<string, unknown>>

/** A request with its query as pairs, because their order has no meaning. */
export interface ComparedRequest extends SeenRequest {
  readonly query: readonly string[]
}

export function compared(request: SeenRequest): ComparedRequest {
  const [path = '', query = ''] = request.path.split('?')
  return { ...request, path, query: [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).toSorted() }
}

/** A list repeats its name; null and undefined are left out. */
const valuesOf = (value: unknown): readonly string[] => {
  const list: readonly unknown[] = [value ?? []].flat()
  return list.map((one) => String(one as string | number | boolean))
}

const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function filesOf({ upload }: EndpointRow, args: Args): readonly SeenFile[] {
  if (upload === undefined) return []
  const { argument, isList, contentType } = upload
  const given = [args[argument] ?? []].flat() as readonly FileInput[]
  return given.map(({ filename, content_type: ownType, data }, index) => ({
    part: isList ? `${argument}[${index}]` : argument,
    filename: filename ?? '',
    content_type: ownType ?? contentType,
    text: Buffer.from(data ?? '', 'base64').toString(),
  }))
}

/** `given`: arguments that the row accepts, files as data. */
export function expectedRequest(row: EndpointRow, given: Args, authorization: string | undefined): ComparedRequest {
  const args = row.args.parse(given) as Args
  const { shape } = row.args as unknown as { readonly shape: Args }
  const files = filesOf(row, args)
  const elsewhere = [...row.pathParameters, ...row.queryParameters, row.reasonArgument, row.asBotArgument]
  const isInBody = (name: string) => !elsewhere.includes(name) && (files.length === 0 || name !== row.upload?.argument)
  const isSent = (value: unknown) => row.upload?.asFields !== true || value !== null
  const isOfFiles = (name: string) => name === row.upload?.argument || name === row.upload?.limitArgument
  const rest = Object.fromEntries(Object.entries(args).filter(([name, value]) => isInBody(name) && !isOfFiles(name) && isSent(value)))
  const hasBody = Object.keys(shape).some(isInBody)
  const reason = row.reasonArgument === undefined ? undefined : args[row.reasonArgument]
  return {
    method: row.method,
    path: row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name]))),
    query: row.queryParameters.flatMap((name) => valuesOf(args[name]).map((value) => `${name}=${value}`)).toSorted(),
    body: hasBody ? jsonOf(row.bodyArgument === undefined ? rest : args[row.bodyArgument]) : undefined,
    authorization,
    reason: typeof reason === 'string' ? encodeURIComponent(reason) : undefined,
    ...(files.length === 0 ? {} : { files }),
  }
}
