/** The last calls that failed. Its slots are used again, and their traces are made only for an operator, so that a failure costs little. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { WireError } from '@sallyport/core/errors'
import { redacted } from '@sallyport/core/redacted'
import type { CallTrace } from '@sallyport/protocol'
import { callIdOf } from '../ipc/connection/envelope.ts'

/** Errors of the bridge are shorter. Those of the platform may be of any length. */
const MOST_MESSAGE = 1024

export interface FailedCall {
  at: number
  connection: number
  sequence: number
  applicationId: string | undefined
  pid: number | undefined
  cmd: string
  error: WireError
  bytes: number
  /** Made while an operator watched; undefined: only the failure is known. */
  whole: CallTrace | undefined
}

/** The field errors of the platform may be long. */
export function shortened(error: WireError): WireError {
  if (error.errors === undefined && error.message.length <= MOST_MESSAGE) return error
  const { errors: _long, ...known } = error
  return { ...known, message: known.message.slice(0, MOST_MESSAGE) }
}

const traceOf = ({ at, connection, sequence, applicationId, pid, cmd, error, bytes, whole }: FailedCall): CallTrace =>
  whole ?? {
    id: callIdOf(connection, sequence),
    kept: 'failure',
    at,
    connection,
    ...(applicationId === undefined ? {} : { application_id: applicationId }),
    ...(pid === undefined ? {} : { pid }),
    cmd,
    result: 'error',
    error: redacted(error) as CallTrace['error'],
    response_bytes: bytes,
  }

const newSlot = (): FailedCall => ({
  at: 0,
  connection: 0,
  sequence: 0,
  applicationId: undefined,
  pid: undefined,
  cmd: '',
  error: { code: 0, message: '' },
  bytes: 0,
  whole: undefined,
})

export class FailedCalls {
  readonly #slots: FailedCall[] = []
  /** Of the oldest, once all are used. */
  #next = 0

  /** The slot of the next failure, which the caller fills. */
  next(): FailedCall {
    const slot = (this.#slots[this.#next] ??= newSlot())
    this.#next = (this.#next + 1) % BUDGETS.failedCalls.value
    return slot
  }

  find(id: string): CallTrace | undefined {
    const slot = this.#slots.find(({ connection, sequence }) => callIdOf(connection, sequence) === id)
    return slot === undefined ? undefined : traceOf(slot)
  }

  /** Newest first. */
  newest(applicationId: string | undefined): CallTrace[] {
    return [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)]
      .toReversed()
      .filter((call) => applicationId === undefined || call.applicationId === applicationId)
      .map(traceOf)
  }
}
