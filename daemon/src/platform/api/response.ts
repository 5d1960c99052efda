/** A successful reply → the value for the caller. What the row knows is checked, what it does not know passes through. */
import type { CsvReply, EndpointRow, Parser } from '@sallyport/protocol'
import { withJsonText } from '@sallyport/core/json-text'
import { malformedReply } from './failure.ts'
import type { HttpReply } from './upstream.ts'

/** 202 carries an error-shaped "not yet", so it is a success only where the row says so. */
export const isSuccess = (row: EndpointRow, status: number): boolean =>
  row.success.includes(status) || (status >= 200 && status < 300 && status !== 202)

/** Throws SERVICE_UNAVAILABLE when the body is not what the row describes. */
export function readResult(row: Pick<EndpointRow, 'csvReply'>, parse: Parser<EndpointRow['response']>, reply: HttpReply): unknown {
  if (reply.status === 204) return null
  const given = row.csvReply === undefined ? readJson(reply) : readColumn(row.csvReply, reply)
  const checked = parse(given)
  // No row's schema changes what it parses, so what was given is what was checked.
  if (checked.success) return row.csvReply === undefined ? withJsonText(given, reply.body) : given
  const at = checked.error.issues[0]?.path.map(String).join('.')
  throw malformedReply(reply.status, at === undefined || at === '' ? 'it has another shape than expected' : `field ${at.slice(0, 100)}`)
}

function readJson({ status, body }: HttpReply): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw malformedReply(status, 'it is not JSON')
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/

/** The values below the one header; none of them holds a comma, a quote or a line break, so that lines are values. */
function readColumn({ header, as }: CsvReply, { status, body }: HttpReply): unknown {
  const [first, ...values] = body
    .replace(BYTE_ORDER_MARK, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().replace(/^"(.*)"$/, '$1'))
  if (first !== header) throw malformedReply(status, `it is no CSV with the header ${header}`)
  return { [as]: values.filter((value) => value !== '') }
}
