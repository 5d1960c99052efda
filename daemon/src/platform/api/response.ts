/** Converts a successful reply to the value for the game. Known fields are validated; unknown fields pass through. */
import type { CsvReply, EndpointRow, Parser } from '@sallyport/protocol'
import { withJsonText } from '@sallyport/core/json-text'
import { malformedReplyError } from './failure.ts'
import type { HttpReply } from './forwarder-port.ts'

/** 202 has an error-shaped body ("not yet"), so it counts as success only if the row lists it. */
export const isSuccess = (row: EndpointRow, status: number): boolean =>
  row.success.includes(status) || (status >= 200 && status < 300 && status !== 202)

/** Throws SERVICE_UNAVAILABLE if the body does not match the row. */
export function readResult(row: Pick<EndpointRow, 'csvReply'>, parse: Parser<EndpointRow['response']>, reply: HttpReply): unknown {
  if (reply.status === 204) return null
  const given = row.csvReply === undefined ? readJson(reply) : readColumn(row.csvReply, reply)
  const checked = parse(given)
  // Row schemas do not transform values, so the input equals the parsed value.
  if (checked.success) return row.csvReply === undefined ? withJsonText(given, reply.body) : given
  const at = checked.error.issues[0]?.path.map(String).join('.')
  throw malformedReplyError(reply.status, at === undefined || at === '' ? 'unexpected shape' : `field ${at.slice(0, 100)}`)
}

function readJson({ status, body }: HttpReply): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw malformedReplyError(status, 'not JSON')
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/

/** The values of a one-column CSV. No value contains a comma, quote or line break, so each line is one value. */
function readColumn({ header, as }: CsvReply, { status, body }: HttpReply): unknown {
  const [first, ...values] = body
    .replace(BYTE_ORDER_MARK, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().replace(/^"(.*)"$/, '$1'))
  if (first !== header) throw malformedReplyError(status, `not CSV with the header ${header}`)
  return { [as]: values.filter((value) => value !== '') }
}
