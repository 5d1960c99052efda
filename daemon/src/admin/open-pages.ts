/** The consent pages that wait for the user now, so that the dashboard can lead there when no browser opened by itself. */

import type { DashboardLine } from './snapshot.ts'

/** Opens a page for the user; the signal aborts when the page is no longer needed. */
interface Surface<Who> {
  open(page: URL, signal: AbortSignal, who: Who): Promise<void>
}

export interface OpenPage {
  readonly url: string
  /** Who asks, and for which application. */
  readonly lines: readonly DashboardLine[]
  /** Milliseconds since the epoch. */
  readonly since: number
}

export interface Watch<Who> {
  readonly linesOf: (who: Who) => readonly DashboardLine[]
  readonly now: () => number
}

export class OpenPages {
  readonly #pages = new Set<OpenPage>()

  all(): readonly OpenPage[] {
    return [...this.#pages]
  }

  /** The same surface, whose pages stand in the list while they are open. */
  watching<Who>(surface: Surface<Who>, { linesOf, now }: Watch<Who>): Surface<Who> {
    return {
      open: (page, signal, who) => {
        if (!signal.aborted) {
          const entry = { url: page.href, lines: linesOf(who), since: now() }
          this.#pages.add(entry)
          signal.addEventListener('abort', () => this.#pages.delete(entry), { once: true })
        }
        return surface.open(page, signal, who)
      },
    }
  }
}
