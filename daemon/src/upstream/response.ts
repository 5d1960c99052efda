/** A successful reply → the value for the caller. What the row knows is checked, what it does not know passes through. */
import type { EndpointRow, Parser } from '@sallyport/protocol'
import { malformedReply } from './failure.ts'
import type { HttpReply } from './upstream.ts'

/** 202 carries an error-shaped "not yet", so it is a success only where the row says so. */
export const isSuccess = (row: EndpointRow, status: number): boolean =>
  row.success.includes(status) || (status >= 200 && status < 300 && status !== 202)

/** Throws SERVICE_UNAVAILABLE when the body is not what the row describes. */
export function readResult(parse: Parser<EndpointRow['response']>, reply: HttpReply): unknown {
  if (reply.status === 204) return null
  let json: unknown
  try {
    json = JSON.parse(reply.body)
  } catch {
    throw malformedReply(reply.status, 'it is not JSON')
  }
  const checked = parse(json)
  if (checked.success) return checked.data
  const at = checked.error.issues[0]?.path.map(String).join('.')
  throw malformedReply(reply.status, at === undefined || at === '' ? 'it has another shape than expected' : `field ${at.slice(0, 100)}`)
}
