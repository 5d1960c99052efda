/** A failed command: an exit code and a message for the user. */
import type { ExitCode } from './exit-codes.ts'

/** Additional fields on stderr with `--json`. */
type FailureDetail = Readonly<Record<string, unknown>>

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
