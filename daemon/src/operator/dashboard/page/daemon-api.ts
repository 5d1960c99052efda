/** Requests to the daemon, with the session of this tab. */
import type { Figures, FormCall, FormCallEnd, SandboxAnswer, SandboxChoices, TraceBatch } from '@sallyport/core/dashboard-messages'
import type { BridgeState } from '@sallyport/protocol'
import type { FormProtocol } from './argument-fields.ts'
import { NotAdmitted, type Refusal, type TabAccess } from './tab-access.ts'

const UNAUTHORIZED = 401

/** Why the page gets no state any more. */
export type Ending = { readonly refusal: Refusal } | { readonly problem: string }

/** What an action is about, besides its object. */
export interface ActionDetails {
  readonly scopes?: readonly string[] | undefined
  readonly places?: readonly string[] | undefined
}

/** What comes while a page shows calls. */
export interface TraceFollower {
  readonly onTraces: (batch: TraceBatch) => void
  readonly onFigures: (figures: Figures) => void
}

const GONE = 'Sallyport does not answer. Nothing was done.'

export class DaemonApi {
  readonly #access: TabAccess

  constructor(access: TabAccess) {
    this.#access = access
  }

  /** Calls `onState` with the state and each later one, until the connection or the signal ends it. Never rejects. */
  async watch(onState: (state: BridgeState) => void, signal: AbortSignal): Promise<Ending> {
    try {
      // An EventSource cannot send the session in a header.
      const response = await this.#request('/api/state/stream', { cache: 'no-store', signal })
      if (!response.ok || response.body === null) return { problem: await response.text() }
      for await (const { name, data } of eventsOf(response.body)) {
        if (name === 'reload') this.#access.reloadCode = data
        else onState(JSON.parse(data) as BridgeState)
      }
    } catch (failure) {
      if (failure instanceof NotAdmitted) return { refusal: failure.refusal }
      // The connection was lost, or the signal ended it.
    } finally {
      // While this connection was open, the port belonged to the daemon. Now any server may have it, and must prove itself first.
      this.#access.end()
    }
    return { refusal: 'lost' }
  }

  /** Reports the traces that the daemon has kept, each later batch, and figures every second, until the connection or the signal ends it. Never rejects. */
  async followTraces({ onTraces, onFigures }: TraceFollower, signal: AbortSignal): Promise<void> {
    try {
      const response = await this.#request('/api/traces/stream', { cache: 'no-store', signal })
      if (!response.ok || response.body === null) return
      for await (const { name, data } of eventsOf(response.body)) {
        if (name === 'figures') onFigures(JSON.parse(data) as Figures)
        else onTraces(JSON.parse(data) as TraceBatch)
      }
    } catch {
      // The connection was lost, or the signal ended it.
    }
  }

  /** Runs an action. The problem as a sentence; undefined: it is done. Never rejects. */
  async act(path: string, { scopes = [], places = [] }: ActionDetails = {}): Promise<string | undefined> {
    const query = new URLSearchParams([...scopes.map((scope) => ['scope', scope]), ...places.map((place) => ['place', place])]).toString()
    try {
      const response = await this.#request(query === '' ? path : `${path}?${query}`, { method: 'POST' })
      return response.ok ? undefined : await response.text()
    } catch {
      return GONE
    }
  }

  /** Undefined if it cannot be read now. Never rejects. */
  async protocol(): Promise<FormProtocol | undefined> {
    return this.#read('/api/protocol')
  }

  /** Makes a call as the operator's own program. Never rejects. */
  async call(call: FormCall): Promise<FormCallEnd> {
    try {
      const response = await this.#request('/api/calls', { method: 'POST', body: JSON.stringify(call) })
      return response.ok ? ((await response.json()) as FormCallEnd) : { problem: await response.text() }
    } catch {
      return { problem: 'Sallyport does not answer. The call may have been made.' }
    }
  }

  /** Undefined for another platform. Never rejects. */
  async sandbox(): Promise<SandboxChoices | undefined> {
    return this.#read('/api/sandbox')
  }

  /** Undefined: the daemon does not answer. Never rejects. */
  async control(method: string, path: string, body: string): Promise<SandboxAnswer | undefined> {
    return this.#read('/api/sandbox/controls', { method: 'POST', body: JSON.stringify({ method, path, body }) })
  }

  /** The last lines of the log; undefined if they cannot be read now. Never rejects. */
  async log(): Promise<readonly string[] | undefined> {
    return this.#read('/api/log', { cache: 'no-store' })
  }

  /** An address of a copy of an image; undefined if there is none. Never rejects. */
  async image(id: string): Promise<string | undefined> {
    try {
      const response = await this.#request(`/api/images/${id}`, {})
      return response.ok ? URL.createObjectURL(await response.blob()) : undefined
    } catch {
      return undefined
    }
  }

  /** The JSON of an answer; undefined if there is none now. Never rejects. */
  async #read<Body>(path: string, init: RequestInit = {}): Promise<Body | undefined> {
    try {
      const response = await this.#request(path, init)
      return response.ok ? ((await response.json()) as Body) : undefined
    } catch {
      return undefined
    }
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const session = await this.#access.session()
    const response = await fetch(path, { ...init, headers: { Authorization: `Bearer ${session}` } })
    if (response.status === UNAUTHORIZED) this.#access.end()
    return response
  }
}

interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** Server-sent events, each with data of one line. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, name = 'state', data = ''] = /^(?:event: (\w+)\n)?data: (.*)$/.exec(event) ?? []
      yield { name, data }
    }
  }
}
