/** What the page knows, in one place: the state of the bridge as the daemon pushes it, the connection, and the last problem of an action. */
import type { BridgeState } from '@sallyport/protocol'
import type { ActionDetails, DaemonApi, Ending } from './daemon-api.ts'
import { currentPage, type PageName } from './routes.ts'

/** `connecting`: not yet. `live`: the state is current. `lost`: the daemon is away, and the page tries again. `closed`: only a new address helps. */
export type Link =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'lost'; readonly problem: string }
  | { readonly kind: 'closed' }

export interface View {
  readonly page: PageName
  readonly link: Link
  /** The last one, also when the daemon is lost. */
  readonly state: BridgeState | undefined
  /** When it was received, in ms since the epoch. */
  readonly seenAt: number
  /** The problem of the last action, as a sentence. */
  readonly error: string | undefined
  /** Now, in ms since the epoch; goes on every second. */
  readonly now: number
}

const RETRY_MS = 1000
const SECOND_MS = 1000
const PROBLEMS = {
  lost: 'Sallyport does not answer. It may have stopped.',
  strange: 'Another program answers in place of Sallyport. This page sends it nothing.',
} as const

function linkAfter(ending: Ending): Link {
  if ('problem' in ending) return { kind: 'lost', problem: ending.problem }
  return ending.refusal === 'closed' ? { kind: 'closed' } : { kind: 'lost', problem: PROBLEMS[ending.refusal] }
}

export class Store {
  readonly #api: DaemonApi
  readonly #onChange: (view: View) => void
  #view: View = { page: currentPage(), link: { kind: 'connecting' }, state: undefined, seenAt: 0, error: undefined, now: Date.now() }
  #stop = new AbortController()

  constructor(api: DaemonApi, onChange: (view: View) => void) {
    this.#api = api
    this.#onChange = onChange
  }

  /** Connects, again whenever the connection is lost. One connection at a time. */
  async connect(): Promise<void> {
    this.disconnect()
    const { signal } = (this.#stop = new AbortController())
    while (!signal.aborted) {
      const ending = await this.#api.watch((state) => this.#set({ link: { kind: 'live' }, state, seenAt: Date.now() }), signal)
      if (signal.aborted) return
      const link = linkAfter(ending)
      this.#set({ link })
      if (link.kind === 'closed') return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  /** A hidden page has no connection, because a browser has few for all pages of the dashboard. */
  disconnect(): void {
    this.#stop.abort()
  }

  /** The address names another page. */
  turnPage(): void {
    this.#set({ page: currentPage(), error: undefined })
  }

  /** Times go on between two states. */
  tick(): void {
    this.#set({})
    setTimeout(() => this.tick(), SECOND_MS)
  }

  /** Whether it was done. */
  async act(path: string, details?: ActionDetails): Promise<boolean> {
    this.#set({ error: undefined })
    const error = await this.#api.act(path, details)
    this.#set({ error })
    return error === undefined
  }

  #set(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change, now: Date.now() }
    this.#onChange(this.#view)
  }
}
