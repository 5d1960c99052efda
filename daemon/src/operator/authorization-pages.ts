/** The open consent pages of the platform, so that the dashboard can link to them when no browser opened. */
import { Signal } from '@sallyport/core/signal'
import type { Line } from '../auth/consent/prompt-text.ts'

/** Opens a page for the user; the signal aborts when the page is no longer needed. Resolves with false if no browser could be started. */
interface PageOpener<Requester> {
  open(page: URL, signal: AbortSignal, requester: Requester): Promise<boolean>
}

export interface OpenPage {
  readonly url: string
  /** The requesting program and its application. */
  readonly lines: readonly Line[]
  /** Milliseconds since the epoch. */
  readonly openedAt: number
  readonly pid: number | undefined
  readonly browser: 'starting' | 'started' | 'missing'
}

interface TrackOptions<Requester> {
  readonly linesOf: (requester: Requester) => readonly Line[]
  readonly now: () => number
}

export class AuthorizationPages {
  readonly #pages = new Map<AbortSignal, OpenPage>()
  /** A page has opened or closed. */
  readonly changed = new Signal()

  all(): readonly OpenPage[] {
    return [...this.#pages.values()]
  }

  /** Wraps an opener so that its pages are listed while they are open. */
  track<Requester extends { readonly pid: number | undefined }>(
    opener: PageOpener<Requester>,
    { linesOf, now }: TrackOptions<Requester>,
  ): PageOpener<Requester> {
    return {
      open: async (page, signal, requester) => {
        const listed = { url: page.href, lines: linesOf(requester), openedAt: now(), pid: requester.pid }
        this.#list(signal, { ...listed, browser: 'starting' })
        signal.addEventListener('abort', () => this.#remove(signal), { once: true })
        const isStarted = await opener.open(page, signal, requester)
        this.#list(signal, { ...listed, browser: isStarted ? 'started' : 'missing' })
        return isStarted
      },
    }
  }

  #list(signal: AbortSignal, page: OpenPage): void {
    if (signal.aborted) return
    this.#pages.set(signal, page)
    this.changed.emit()
  }

  #remove(signal: AbortSignal): void {
    this.#pages.delete(signal)
    this.changed.emit()
  }
}
