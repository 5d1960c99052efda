/** The open consent pages of the platform, so that the dashboard can link to them when no browser opened. */
import { Signal } from '@sallyport/core/signal'
import type { Line } from '../auth/consent/prompt-text.ts'

/** Opens a page for the user; the signal aborts when the page is no longer needed. */
interface PageOpener<Requester> {
  open(page: URL, signal: AbortSignal, requester: Requester): Promise<void>
}

export interface OpenPage {
  readonly url: string
  /** The requesting program and its application. */
  readonly lines: readonly Line[]
  /** Milliseconds since the epoch. */
  readonly openedAt: number
}

interface TrackOptions<Requester> {
  readonly linesOf: (requester: Requester) => readonly Line[]
  readonly now: () => number
}

export class AuthorizationPages {
  readonly #pages = new Set<OpenPage>()
  /** A page has opened or closed. */
  readonly changed = new Signal()

  all(): readonly OpenPage[] {
    return [...this.#pages]
  }

  /** Wraps an opener so that its pages are listed while they are open. */
  track<Requester>(opener: PageOpener<Requester>, { linesOf, now }: TrackOptions<Requester>): PageOpener<Requester> {
    return {
      open: (page, signal, requester) => {
        if (!signal.aborted) this.#list({ url: page.href, lines: linesOf(requester), openedAt: now() }, signal)
        return opener.open(page, signal, requester)
      },
    }
  }

  #list(page: OpenPage, signal: AbortSignal): void {
    this.#pages.add(page)
    signal.addEventListener(
      'abort',
      () => {
        this.#pages.delete(page)
        this.changed.emit()
      },
      { once: true },
    )
    this.changed.emit()
  }
}
