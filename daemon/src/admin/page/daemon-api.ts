/** Requests to the daemon, with the token from the address of the page. */
import type { DashboardSnapshot } from '../snapshot.ts'

const KEY = 'sallyport-token'
const TIMEOUT_MS = 10_000
const UNAUTHORIZED = 401

export type Reading = { readonly snapshot: DashboardSnapshot } | { readonly problem: string; readonly isFinal: boolean }

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

  /** The snapshot, or the problem as a sentence. It is final if only another token helps. Never rejects. */
  async read(): Promise<Reading> {
    const used = this.#token
    try {
      const response = await this.#request('/api/state', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (response.ok) return { snapshot: (await response.json()) as DashboardSnapshot }
      return response.status === UNAUTHORIZED && used === this.#token
        ? { problem: 'Open the address that the daemon printed: this one lacks its token.', isFinal: true }
        : { problem: 'The daemon returned an error.', isFinal: false }
    } catch {
      return { problem: 'The daemon does not respond; it may have stopped.', isFinal: false }
    }
  }

  /** Runs an action. The problem as a sentence; undefined: it is done. Never rejects. */
  async act(path: string): Promise<string | undefined> {
    try {
      const response = await this.#request(path, { method: 'POST' })
      return response.ok ? undefined : await response.text()
    } catch {
      return 'The daemon does not respond; it may have stopped.'
    }
  }

  #request(path: string, init: RequestInit): Promise<Response> {
    return fetch(path, { ...init, headers: { Authorization: `Bearer ${this.#token}` } })
  }
}
