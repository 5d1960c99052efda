/** The real HTTP client: the only file that knows undici, which is loaded at the first request. */
import { LIMITS } from '@sallyport/protocol'
import type { Agent, Dispatcher } from 'undici'
import { HttpFailure, type HttpFailureKind } from './http-failure.ts'
import type { HttpReply, HttpRequest, HttpSend } from './upstream.ts'

export interface HttpClient {
  readonly send: HttpSend
  /** Breaks what is under way and closes all connections. */
  close(): Promise<void>
}

/** Connections to one origin; what exceeds them waits inside the pool. */
const CONNECTIONS = 64
const CONNECT_TIMEOUT_MS = 10_000
/** How long an unused connection is kept; the server's own hint replaces it. */
const KEEP_ALIVE_MS = 15_000
const REPLY_BYTES = 8 * 1024 * 1024

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

export function createHttpSend(): HttpClient {
  let agent: Agent | undefined
  let opening: Promise<Agent> | undefined
  let closed = false

  const open = async (): Promise<Agent> => {
    const undici = await import('undici')
    agent = new undici.Agent({
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The signal carries each call's deadline; these only bound what a lost signal would leave behind.
      headersTimeout: LIMITS.maxDeadlineMs.value,
      bodyTimeout: LIMITS.maxDeadlineMs.value,
      // One multiplexed connection would let one slow reply delay the others and make `sent` unknowable.
      allowH2: false,
    })
    return agent
  }

  return {
    async send(request, signal) {
      if (closed || signal.aborted) throw new HttpFailure('aborted', false)
      const dispatcher = agent ?? (await (opening ??= open()))
      return new Exchange(request, signal).run(dispatcher)
    },
    async close() {
      closed = true
      await (agent ?? (await opening))?.destroy()
    },
  }
}

/** One request and its reply. It is its own undici handler and abort listener, so that a call costs no closures. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest
  readonly #signal: AbortSignal
  #resolve!: (reply: HttpReply) => void
  #reject!: (failure: HttpFailure) => void
  #controller: Dispatcher.DispatchController | undefined
  #isSettled = false
  #status = 0
  #headers: HttpReply['headers'] = {}
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(request: HttpRequest, signal: AbortSignal) {
    this.#request = request
    this.#signal = signal
  }

  run(dispatcher: Dispatcher): Promise<HttpReply> {
    const { method, url, headers, body } = this.#request
    const pathAt = pathStart(url)
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      // The signal can have fired while undici was being loaded.
      if (this.#signal.aborted) return this.#fail('aborted')
      this.#signal.addEventListener('abort', this)
      dispatcher.dispatch(
        {
          origin: url.slice(0, pathAt),
          path: url.slice(pathAt) || '/',
          method,
          headers: headers as Record<string, string>,
          body: body ?? null,
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
    // A request that was given up while it waited for a connection is dropped before a byte is written.
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
    const body = only === undefined ? '' : this.#chunks.length === 1 ? only.toString() : Buffer.concat(this.#chunks, this.#bytes).toString()
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
