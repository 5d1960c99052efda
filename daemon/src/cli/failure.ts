/** How a command ends when it cannot do its work: an exit code and a sentence for the person at the terminal. */
import type { ExitCode } from './exit-codes.ts'

/** What `--json` adds on stderr. */
export type FailureDetail = Readonly<Record<string, unknown>>

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: ExitCode
  readonly detail: FailureDetail

  constructor(exitCode: ExitCode, message: string, detail: FailureDetail = {}, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
    this.detail = detail
  }
}
