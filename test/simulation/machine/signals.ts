/**
 * Signals that follow others. While one has a listener, Node keeps it until it is aborted. Those of a killed process never are, so each run would
 * leave its whole world behind. These end with those that they follow.
 */
export function replaceSignals(): void {
  AbortSignal.any = (followed) => {
    const controller = new AbortController()
    for (const signal of followed) {
      const abort = (): void => controller.abort(signal.reason)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    }
    return controller.signal
  }
}
