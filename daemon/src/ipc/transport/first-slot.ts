/**
 * Waits until the server in the first slot is gone. A server that ends removes its name, which the folder reports. One that is killed leaves the
 * name; so a silent connection is kept to it, which the system closes then. Nothing is polled while the server runs.
 */
import { type FSWatcher, watch } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import { backoffMs } from '@sallyport/core/backoff'

/** A server that closes silent connections is asked less and less often. */
const BACKOFF = { firstMs: 50, maxMs: 60_000 }
/** A connection that held for so long was none that the server refuses. */
const STEADY_MS = 60_000

export class FirstSlotWatch {
  readonly #path: string
  readonly #take: () => Promise<boolean>
  readonly #watcher: FSWatcher | undefined
  #connection: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  #attempts = 0
  #isLooking = false
  /** Something changed during a look. */
  #isDirty = false
  #isStopped = false

  /** `take`: tries to take the slot; resolves to whether it is ours now. The watch ends then. */
  constructor(path: string, take: () => Promise<boolean>) {
    this.#path = path
    this.#take = take
    this.#watcher = this.#open()
    void this.#look()
  }

  stop(): void {
    this.#isStopped = true
    this.#watcher?.close()
    clearTimeout(this.#timer)
    this.#connection?.destroy()
  }

  /** Undefined where the system has no watches left; the connection alone reports most ends. */
  #open(): FSWatcher | undefined {
    const slot = basename(this.#path)
    try {
      const watcher = watch(dirname(this.#path), { persistent: false }, (_, name) => {
        if (name !== null && name !== slot) return
        this.#attempts = 0
        void this.#look()
      })
      watcher.on('error', () => watcher.close())
      return watcher
    } catch {
      return undefined
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#isDirty = true
      return
    }
    if (this.#isStopped) return
    this.#isLooking = true
    this.#isDirty = false
    // Another daemon of the user that starts may hold the lock; the next look is soon.
    const isOurs = await this.#take().catch(() => false)
    this.#isLooking = false
    if (isOurs) return this.stop()
    if (this.#isDirty) return this.#look()
    if (!this.#isStopped && this.#connection === undefined) this.#connect()
  }

  #connect(): void {
    const startedAt = performance.now()
    const connection = connect(this.#path)
    // At a link that leads nowhere there is no server. The folder reports its end.
    let leadsNowhere = false
    this.#connection = connection
    // The process stays for its own servers, not for this.
    connection.unref()
    // All other errors are of a server: it is gone (ECONNREFUSED), was killed before it took the connection (ECONNRESET), is busy (EAGAIN).
    connection.on('error', ({ code }: NodeJS.ErrnoException) => {
      leadsNowhere = code === 'ENOENT'
    })
    connection.on('data', () => {})
    connection.once('close', () => {
      this.#connection = undefined
      if (this.#isStopped || (leadsNowhere && this.#watcher !== undefined)) return
      if (performance.now() - startedAt >= STEADY_MS) this.#attempts = 0
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#look(), backoffMs(++this.#attempts, BACKOFF))
      this.#timer.unref()
    })
  }
}
