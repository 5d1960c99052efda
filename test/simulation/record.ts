/** What a run did, as one hash: every frame, every HTTP request and every line of the log, each with its time. */
import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import type { LogEvent } from '@sallyport/core/log-events'
import type { Logger } from '@sallyport/core/logger'
import type { Direction, Link, Tap } from './machine/socket.ts'
import { asOwner, currentOwner } from './machine/timeline.ts'

export class RunRecord implements Tap {
  readonly #hash = createHash('sha256')
  readonly #now: () => number
  readonly #hidden: readonly (readonly [text: string, shown: string])[]
  readonly #onLine: ((line: string) => void) | undefined
  /** Lines of the log at the level of errors. */
  readonly errors: string[] = []
  frames = 0
  requests = 0
  lines = 0

  /** `hidden`: what differs between two runs of one seed, and what stands for it. */
  constructor(now: () => number, hidden: readonly (readonly [string, string])[], onLine?: (line: string) => void) {
    this.#now = now
    this.#hidden = hidden
    this.#onLine = onLine
  }

  get digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Replies of HTTP are left out: Node writes the real time into each. */
  onBytes({ number, address }: Link, direction: Direction, bytes: Buffer): void {
    const isHttp = typeof address === 'number'
    if (isHttp && direction === 'down') return
    if (isHttp) this.requests += 1
    else this.frames += 1
    this.#add(`${isHttp ? 'http' : 'frames'} ${number} ${direction} ${bytes.toString('latin1')}`)
  }

  logger(owner: string, more: object = {}): Logger {
    const at =
      (level: string) =>
      (event: LogEvent, fields: object = {}): void => {
        if (currentOwner()?.isDead === true) return
        const shown = inspect({ ...more, ...plain(fields) }, { depth: 6, breakLength: Number.POSITIVE_INFINITY, sorted: true })
        const line = `${owner} ${level} ${event} ${shown}`
        this.lines += 1
        if (level === 'error') this.errors.push(line)
        this.#add(`log ${line}`)
      }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => this.logger(owner, { ...more, ...fields }),
    }
  }

  /** What happened in the simulation itself. */
  note(text: string): void {
    this.#add(`note ${text}`)
  }

  #add(text: string): void {
    const shown = this.#hidden.reduce((given, [hidden, instead]) => given.replaceAll(hidden, instead), text)
    const line = `${this.#now().toFixed(3)} ${shown}\n`
    this.#hash.update(line)
    // The process under test has no part in it.
    asOwner(undefined, () => this.#onLine?.(line))
  }
}

/** Stacks name files of this clone, so of an error only its message counts. */
const plain = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? `${value.name}: ${value.message}` : value]),
  )
