/** The data of a response, and what the game should know about its call although it succeeded. */
import type { Logger } from '@sallyport/core/logger'
import type { CallWarning } from '@sallyport/protocol/wire'

/** Warnings of one connection that the log repeats. */
const MAX_LOGGED = 64

export class WithWarnings<Data = unknown> {
  readonly data: Data
  readonly warnings: readonly CallWarning[]

  /** `warnings`: at least one. */
  constructor(data: Data, warnings: readonly CallWarning[]) {
    this.data = data
    this.warnings = warnings
  }
}

/** The data alone where there is nothing to warn about. */
export const withWarnings = <Data>(data: Data, warnings: readonly CallWarning[]): Data | WithWarnings<Data> =>
  warnings.length === 0 ? data : new WithWarnings(data, warnings)

/** Adds warnings to a result, which may be a promise and may have some. `warnings`: at least one. */
export function addWarnings(result: unknown, warnings: readonly CallWarning[]): unknown {
  if (result instanceof Promise) return result.then((data: unknown) => addWarnings(data, warnings))
  if (result instanceof WithWarnings) return new WithWarnings(result.data, [...result.warnings, ...warnings])
  return new WithWarnings(result, warnings)
}

/** Of a peer without a contract, which does not know warnings: the log says each once. */
export class WarningLog {
  readonly #log: Logger
  readonly #connectionId: number
  readonly #logged = new Set<string>()

  constructor(log: Logger, connectionId: number) {
    this.#log = log
    this.#connectionId = connectionId
  }

  add(cmd: string, warnings: readonly CallWarning[]): void {
    for (const { path, reason } of warnings) {
      const key = `${cmd} ${path}`
      if (this.#logged.has(key) || this.#logged.size >= MAX_LOGGED) continue
      this.#logged.add(key)
      this.#log.info('call-warning', { session: this.#connectionId, cmd, path, reason })
    }
  }
}
