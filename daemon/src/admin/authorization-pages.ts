/** The open consent pages of the platform, so that the dashboard can link to them when no browser opened. */

import type { DashboardLine } from './snapshot.ts'

/** Opens a page for the user; the signal aborts when the page is no longer needed. */
interface PageOpener<Requester> {
  open(page: URL, signal: AbortSignal, requester: Requester): Promise<void>
}

export interface OpenPage {
  readonly url: string
  /** The requesting program and its application. */
  readonly lines: readonly DashboardLine[]
  /** Milliseconds since the epoch. */
  readonly since: number
}

export interface TrackOptions<Requester> {
  readonly linesOf: (requester: Requester) => readonly DashboardLine[]
  readonly now: () => number
}

export class AuthorizationPages {
  readonly #pages = new Set<OpenPage>()

  all(): readonly OpenPage[] {
    return [...this.#pages]
  }

  /** Wraps an opener so that its pages are listed while they are open. */
  track<Requester>(opener: PageOpener<Requester>, { linesOf, now }: TrackOptions<Requester>): PageOpener<Requester> {
    return {
      open: (page, signal, requester) => {
        if (!signal.aborted) {
          const entry = { url: page.href, lines: linesOf(requester), since: now() }
          this.#pages.add(entry)
          signal.addEventListener('abort', () => this.#pages.delete(entry), { once: true })
        }
        return opener.open(page, signal, requester)
      },
    }
  }
}
