/** Waits until the client is ready for calls, or cannot be. */
import type { StateListener, WaitOptions } from './api.ts'
import type { Server } from './server.ts'
import { CallTimeoutError, ConnectionLostError, errorFrom } from './errors.ts'
import type { ConnectionState } from './machine.ts'
import type { Clock } from './environment.ts'

interface Observable {
  readonly state: ConnectionState
  onState(listener: StateListener): () => void
}

/** Resolves in `ready`; rejects in `offline` and `closed`, on a timeout (CallTimeoutError), or with the signal's reason. */
export function readiness(connection: Observable, { timeoutMs, signal }: WaitOptions, clock: Clock): Promise<Server> {
  return new Promise((resolve, reject) => {
    const release: (() => void)[] = []
    const end = (finish: () => void) => {
      for (const undo of release.splice(0)) undo()
      finish()
    }
    const check = () => {
      // The current state, which may differ from the state in the notification.
      const { state } = connection
      if (state.name === 'ready') end(() => resolve(state.server))
      if (state.name === 'closed') end(() => reject(new ConnectionLostError('the client was closed')))
      if (state.name === 'offline') end(() => reject(state.error ?? new ConnectionLostError('the client is offline; call connect() first')))
    }
    const abort = () => end(() => reject(errorFrom(signal?.reason)))
    if (signal?.aborted === true) return abort()
    release.push(connection.onState(check))
    signal?.addEventListener('abort', abort, { once: true })
    release.push(() => signal?.removeEventListener('abort', abort))
    if (timeoutMs !== undefined) {
      const expire = () => end(() => reject(new CallTimeoutError(`not connected within ${timeoutMs} ms`)))
      release.push(clock.after(timeoutMs, expire))
    }
    check()
  })
}
