/** The HTTP client interface for signing in: one request, one bounded reply, no redirects followed. */

export interface WebRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What traces show in place of the path, if that is a secret. */
  readonly shownPath?: string
}

export interface WebReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Rejects with any error when no complete reply arrives. */
export type WebSend = (request: WebRequest, signal: AbortSignal) => Promise<WebReply>

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Whether the address is on this machine, where neither TLS nor a user is required. */
export const isLoopback = (url: URL): boolean => LOOPBACK_HOSTS.has(url.hostname)
