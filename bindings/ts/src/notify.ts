/** Calling what the game gave us. */

/** A fault in a listener is the game's: it surfaces as an uncaught exception and leaves the client and the other listeners alone. */
export function notify<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
