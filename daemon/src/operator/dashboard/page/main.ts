/** The dashboard in the browser: shows the state that the daemon pushes while the page is visible, and sends what the user clicks. */
import type { BridgeState } from '@sallyport/protocol'
import { DaemonApi } from './daemon-api.ts'
import { View } from './view.ts'

const RETRY_MS = 1000
const SECOND_MS = 1000

const api = new DaemonApi()
const view = new View()

/** One connection at a time. A hidden page has none, because a browser has few for all pages of the dashboard. */
class Watch {
  #stop = new AbortController()
  #state: BridgeState | undefined

  /** Begins anew, also with another token. */
  async begin(): Promise<void> {
    this.end()
    const { signal } = (this.#stop = new AbortController())
    while (!signal.aborted) {
      const { problem, isFinal } = await api.watch((state) => this.#show(state), signal)
      if (signal.aborted) return
      this.#state = undefined
      view.lost(problem)
      if (isFinal) return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  end(): void {
    this.#stop.abort()
    this.#state = undefined
  }

  /** Times go on between two states. */
  tick(): void {
    if (this.#state !== undefined) view.show(this.#state)
    setTimeout(() => this.tick(), SECOND_MS)
  }

  #show(state: BridgeState): void {
    this.#state = state
    view.show(state)
  }
}

/** A button that did its work stays disabled until its part of the page changes, unless it can be repeated. */
async function press(button: HTMLButtonElement, path: string): Promise<void> {
  button.disabled = true
  view.setError(undefined)
  const problem = await api.act(path)
  view.setError(problem)
  button.disabled = problem === undefined && button.dataset['repeatable'] === undefined
}

const watch = new Watch()
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null
  const path = button?.dataset['path']
  if (button !== null && path !== undefined) void press(button, path)
})
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void watch.begin()
  else watch.end()
})
// The address of the next run differs only in the fragment, so the browser does not reload the page.
addEventListener('hashchange', () => {
  api.takeToken()
  void watch.begin()
})
if (document.visibilityState === 'visible') void watch.begin()
watch.tick()
