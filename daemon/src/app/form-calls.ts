/** Makes the calls of the dashboard's form. Nothing of it is loaded before the first one. */
import type { FormCall, FormCallEnd } from '@sallyport/core/dashboard-messages'
import { BridgeError } from '@sallyport/core/errors'
import type { FormCalls } from '../operator/dashboard/form-call.ts'
import type { CallFollower, OwnCalls } from '../operator/own-calls.ts'

interface FormCallMakerDeps {
  readonly traces: CallFollower
  /** Of the sockets. */
  readonly addresses: () => readonly string[]
  /** Where the form names none. */
  readonly application: string
}

export class FormCallMaker implements FormCalls {
  readonly #deps: FormCallMakerDeps
  #own: OwnCalls | undefined

  constructor(deps: FormCallMakerDeps) {
    this.#deps = deps
  }

  async make({ application = this.#deps.application, confirmed, ...call }: FormCall): Promise<FormCallEnd> {
    const { deletionOf, requireKnownNames } = await import('../rpc/typed-call.ts')
    const deletion = deletionOf(call.command)
    if (deletion !== undefined && confirmed !== call.command) return { confirm: deletion }
    try {
      requireKnownNames(call.command, call.args)
    } catch (failure) {
      if (!(failure instanceof BridgeError)) throw failure
      return { problem: `${failure.error} (${failure.toWire().code}): ${failure.message}` }
    }
    const { OwnCalls: Calls } = await import('../operator/own-calls.ts')
    this.#own ??= new Calls({ ...this.#deps, pid: process.pid })
    return this.#own.make({ application, ...call })
  }

  async end(): Promise<void> {
    await this.#own?.close()
  }
}
