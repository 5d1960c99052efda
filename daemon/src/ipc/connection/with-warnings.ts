/** The data of a response, and what the game should know about its call although it succeeded. */
import type { CallWarning } from '@sallyport/protocol/wire'

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
