/** The dashboard in the browser: reads the snapshot each second while the page is visible, shows it, and sends what the user clicks. */
import { DaemonApi } from './daemon-api.ts'
import { View } from './view.ts'

const POLL_MS = 1000

const api = new DaemonApi()
const view = new View()

/** One request at a time; the next starts one second after the last ended. */
class Poll {
  #timer: ReturnType<typeof setTimeout> | undefined
  #isReading = false

  async read(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#isReading) return
    this.#isReading = true
    const reading = await api.read()
    this.#isReading = false
    if ('snapshot' in reading) view.show(reading.snapshot)
    else view.lost(reading.problem)
    const again = 'snapshot' in reading || !reading.isFinal
    if (again && document.visibilityState === 'visible') this.#timer = setTimeout(() => void this.read(), POLL_MS)
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

const poll = new Poll()
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null
  const path = button?.dataset['path']
  if (button !== null && path !== undefined) void press(button, path)
})
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void poll.read()
})
// The address of the next run differs only in the fragment, so the browser does not reload the page.
addEventListener('hashchange', () => {
  api.takeToken()
  void poll.read()
})
void poll.read()
