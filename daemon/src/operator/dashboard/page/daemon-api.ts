/** Requests to the daemon, with the token from the address of the page. */
import type { BridgeState } from '@sallyport/protocol'

const KEY = 'sallyport-token'
const UNAUTHORIZED = 401

/** Why the page gets no state any more, as a sentence. It is final if only another token helps. */
interface Ending {
  readonly problem: string
  readonly isFinal: boolean
}

const GONE: Ending = { problem: 'The daemon does not respond; it may have stopped.', isFinal: false }

export class DaemonApi {
  #token = ''

  constructor() {
    this.takeToken()
  }

  /** Reads the token. The fragment never leaves the browser. It is removed from the address bar at once and kept for a reload of this tab. */
  takeToken(): void {
    const given = new URLSearchParams(location.hash.slice(1)).get('token')
    if (given !== null && given !== '') {
      sessionStorage.setItem(KEY, given)
      history.replaceState(null, '', location.pathname)
    }
    this.#token = sessionStorage.getItem(KEY) ?? ''
  }

  /** Calls `onState` with the state and each later one, until the connection or the signal ends it. Never rejects. */
  async watch(onState: (state: BridgeState) => void, signal: AbortSignal): Promise<Ending> {
    try {
      // An EventSource cannot send the token in a header.
      const response = await this.#request('/api/state/stream', { cache: 'no-store', signal })
      if (response.status === UNAUTHORIZED)
        return { problem: 'Open the address that the daemon printed: this one lacks its token.', isFinal: true }
      if (!response.ok || response.body === null) return { problem: await response.text(), isFinal: false }
      for await (const data of eventsOf(response.body)) onState(JSON.parse(data) as BridgeState)
    } catch {
      // The connection was lost, or the signal ended it.
    }
    return GONE
  }

  /** Runs an action. The problem as a sentence; undefined: it is done. Never rejects. */
  async act(path: string): Promise<string | undefined> {
    try {
      const response = await this.#request(path, { method: 'POST' })
      return response.ok ? undefined : await response.text()
    } catch {
      return GONE.problem
    }
  }

  #request(path: string, init: RequestInit): Promise<Response> {
    return fetch(path, { ...init, headers: { Authorization: `Bearer ${this.#token}` } })
  }
}

/** The data of server-sent events, each of one line. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) yield event.replace(/^data: /, '')
  }
}
