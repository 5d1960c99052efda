/** A fake platform behind the HttpSend port. It records requests; the test sends the replies. */
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import type { HttpReply, HttpRequest, HttpSend } from '#daemon/src/platform/api/forwarder-port.ts'

export interface Received {
  readonly request: HttpRequest
  readonly answer: (reply: HttpReply) => void
  readonly fail: (failure: unknown) => void
}

export class FakePlatform {
  readonly received: Received[] = []
  /** Replies immediately if set, and if it returns something. */
  answer: ((request: HttpRequest, index: number) => HttpReply | Error | undefined) | undefined

  readonly send: HttpSend = (request, signal) =>
    new Promise((resolve, reject) => {
      const index = this.received.length
      this.received.push({ request, answer: resolve, fail: reject })
      signal.addEventListener('abort', { handleEvent: () => reject(new HttpFailure('aborted', true)) })
      const reply = this.answer?.(request, index)
      if (reply instanceof Error) reject(reply)
      else if (reply !== undefined) resolve(reply)
    })

  at(index: number): Received {
    const found = this.received[index]
    if (found === undefined) throw new Error(`request ${index} was never sent`)
    return found
  }
}

export const reply = (status: number, body: unknown = {}, headers: HttpReply['headers'] = {}): HttpReply => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Rate-limit headers of the platform. */
export const limits = (bucket: string, limit: number, remaining: number, resetAfterS: number, resetAt?: number): HttpReply['headers'] => ({
  'x-ratelimit-bucket': bucket,
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset-after': String(resetAfterS),
  ...(resetAt === undefined ? {} : { 'x-ratelimit-reset': String(resetAt / 1000) }),
})
