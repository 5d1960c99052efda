/** Calls a listener of the game. Its error becomes an uncaught exception and does not affect the client or other listeners. */
export function notify<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
