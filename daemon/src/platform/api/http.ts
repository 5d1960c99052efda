/** The HTTP client on undici, which is loaded for the first request, or before it by `prepare`. */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { CancelListener, CancelSignal } from '@sallyport/core/cancel'
import { type Dispatchers, type NetworkOptions, openDispatchers } from './dispatchers.ts'
import { HttpFailure, type HttpFailureKind } from './http-failure.ts'
import type { HttpReply, HttpRequest, HttpSend } from './forwarder-port.ts'

export interface HttpClient {
  readonly send: HttpSend
  /** Loads undici now, because a request will follow. */
  prepare(): void
  /** Aborts requests in flight and closes all connections. */
  close(): Promise<void>
}

const REPLY_BYTES = 8 * 1024 * 1024

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

export function createHttpSend(options: NetworkOptions = {}): HttpClient {
  let dispatchers: Dispatchers | undefined
  let opening: Promise<Dispatchers> | undefined
  let closed = false

  const open = (): Promise<Dispatchers> => {
    opening ??= openDispatchers(options).then((opened) => (dispatchers = opened))
    return opening
  }

  return {
    send(request, signal) {
      if (closed || signal.aborted) return Promise.reject(new HttpFailure('aborted', false))
      const exchange = new Exchange(request, signal)
      return dispatchers === undefined ? open().then((opened) => exchange.run(opened)) : exchange.run(dispatchers)
    },
    prepare() {
      // A failure is the first request's to report.
      if (!closed) open().catch(() => undefined)
    },
    async close() {
      closed = true
      await (dispatchers ?? (await opening))?.destroy()
    },
  }
}

/** One request and its reply. It implements the undici handler and the abort listener itself, to avoid closures per call. */
class Exchange implements Dispatcher.DispatchHandler, CancelListener {
  readonly #request: HttpRequest
  readonly #signal: CancelSignal
  #resolve!: (reply: HttpReply) => void
  #reject!: (failure: HttpFailure) => void
  #controller: Dispatcher.DispatchController | undefined
  #isSettled = false
  #status = 0
  #headers: HttpReply['headers'] = {}
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(request: HttpRequest, signal: CancelSignal) {
    this.#request = request
    this.#signal = signal
  }

  run(dispatchers: Dispatchers): Promise<HttpReply> {
    const { method, url, headers, body, multipart } = this.#request
    const pathAt = pathStart(url)
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      // The signal can have fired while undici was being loaded.
      if (this.#signal.aborted) return this.#fail('aborted')
      this.#signal.addEventListener('abort', this)
      const origin = url.slice(0, pathAt)
      dispatchers.to(origin).dispatch(
        {
          origin,
          path: url.slice(pathAt) || '/',
          method,
          headers: headers as Record<string, string>,
          // The end of the request also ends the iteration, and vice versa.
          body: multipart === undefined ? (body ?? null) : Readable.from(multipart.chunks(), { objectMode: false }),
        },
        this,
      )
    })
  }

  /** The signal fired. */
  handleEvent(): void {
    const controller = this.#controller
    this.#fail('aborted')
    controller?.abort(new Error('aborted'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that was cancelled while it waited for a connection is dropped before any byte is written.
    if (this.#isSettled) controller.abort(new Error('aborted'))
    else this.#controller = controller
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: HttpReply['headers']): void {
    this.#status = status
    this.#headers = headers
    if (Number(headers['content-length']) > REPLY_BYTES) this.#refuse(controller)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return
    this.#bytes += chunk.length
    if (this.#bytes > REPLY_BYTES) this.#refuse(controller)
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#isSettled) return
    this.#settle()
    const only = this.#chunks[0]
    const whole = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#bytes) : only
    const body = whole?.toString(this.#request.encoding) ?? ''
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, cause: Error & { code?: string }): void {
    const kind = this.#controller === undefined ? 'unreachable' : TIMEOUT_CODES.has(cause.code ?? '') ? 'timed-out' : 'interrupted'
    this.#fail(kind, cause)
  }

  #refuse(controller: Dispatcher.DispatchController): void {
    this.#fail('too-large')
    controller.abort(new Error('reply too large'))
  }

  #fail(kind: HttpFailureKind, cause?: Error): void {
    if (this.#isSettled) return
    const sent = this.#controller !== undefined
    this.#settle()
    this.#reject(new HttpFailure(kind, sent, { cause }))
  }

  #settle(): void {
    this.#isSettled = true
    this.#signal.removeEventListener('abort', this)
  }
}

/** Index of the first character after `scheme://host:port`. */
function pathStart(url: string): number {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash === -1 ? url.length : slash
}
