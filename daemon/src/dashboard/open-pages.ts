/** The consent pages that wait for the user now, so that the dashboard can lead there when no browser opened by itself. */

/** Opens a page for the user; the signal aborts when the page is no longer needed. */
interface Surface {
  open(page: URL, signal: AbortSignal): Promise<void>
}

export interface OpenPage {
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

export class OpenPages {
  readonly #pages = new Set<OpenPage>()

  all(): readonly OpenPage[] {
    return [...this.#pages]
  }

  /** The same surface, whose pages stand in the list while they are open. */
  watching(surface: Surface, now: () => number): Surface {
    return {
      open: (page, signal) => {
        if (!signal.aborted) {
          const entry = { url: page.href, since: now() }
          this.#pages.add(entry)
          signal.addEventListener('abort', () => this.#pages.delete(entry), { once: true })
        }
        return surface.open(page, signal)
      },
    }
  }
}
