/**
 * Calls with a key take effect once. The key is stored before the first request leaves, and the result after the answer. A repeat gets the result,
 * waits for it, or learns that the outcome is unknown; it makes no second request.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import { traceWait } from '@sallyport/core/current-call'
import { BridgeError } from '@sallyport/core/errors'
import { jsonTextOf, withJsonText } from '@sallyport/core/json-text'
import type { EndpointRow } from '@sallyport/protocol'
import type { CallLimits, RequestFollower } from '../../platform/api/forwarder-port.ts'
import { isRepeatable } from '../../platform/api/retry.ts'
import type { CallDeadline } from '../timed-call.ts'
import type { KeptCall, KeyStore } from './key-store.ts'
import { callEnded, KeyedRun, type Outcome } from './keyed-run.ts'
import { asKept } from './kept-results.ts'
import { callIdFor, type ResultSeal } from './result-seal.ts'
import {
  fromStoredError,
  isFinalError,
  isUnknown,
  keyReused,
  resultNotKept,
  resultNotRead,
  toStoredError,
  unknownOutcome,
} from './stored-call.ts'

type Args = Readonly<Record<string, unknown>>

/** What is opened at the first call with a key. */
export interface OpenedKeys {
  readonly store: KeyStore
  readonly seal: ResultSeal
}

interface KeyedCallsDeps {
  readonly clock: Clock
  /** Name of the platform; the keys of different platforms do not mix. */
  readonly platform: string
  /** Rejects with SERVICE_UNAVAILABLE. */
  readonly open: () => Promise<OpenedKeys>
  /** Removes the list of an earlier daemon; undefined if there is none. */
  readonly removeOld: (() => void) | undefined
}

export interface KeyedCall {
  readonly key: string
  readonly row: EndpointRow
  readonly args: Args
  /** As accounting counts it. */
  readonly program: string
  readonly applicationId: string
  /** Whose token it carries. */
  readonly account: string
  /** See KeyedRun. `bytes`: of its arguments, about. */
  readonly detach: (bytes: number) => (() => void) | undefined
}

/** How long a game waits for the call. */
export type KeyedLimits = Omit<CallDeadline, 'signal'>

/** Makes the call, with arguments that may have a nonce now. */
export type Work = (limits: CallLimits, follower: RequestFollower, args: Args) => Promise<unknown>

/** Of a message; the platform accepts as many characters. */
const NONCE_CHARACTERS = 25

/** What is known of a call when it begins. */
interface Begun {
  readonly id: Buffer
  /** The id as text of one byte a character. */
  readonly name: string
  readonly row: EndpointRow
  /** What is sent. */
  readonly args: Args
}

export class KeyedCalls {
  readonly #deps: KeyedCallsDeps
  readonly #running = new Map<string, KeyedRun>()
  #opened: OpenedKeys | undefined
  #opening: Promise<OpenedKeys> | undefined
  #isClosed = false
  readonly #keepOld: () => void

  constructor(deps: KeyedCallsDeps) {
    this.#deps = deps
    const { clock, removeOld } = deps
    // By then the list holds nothing that is still kept. To look inside would open the vault, which may ask the user.
    this.#keepOld = removeOld === undefined ? () => {} : clock.after(BUDGETS.callKeySweepMs.value, removeOld)
  }

  async run(call: KeyedCall, limits: KeyedLimits, work: Work): Promise<unknown> {
    const opened = this.#opened ?? (await this.#open())
    const id = callIdFor({ ...call, platform: this.#deps.platform }, call.key)
    const name = id.toString('latin1')
    const { row } = call
    const argumentsHash = opened.seal.argumentsHash(row.name, call.args)
    for (let running = this.#running.get(name); running !== undefined; running = this.#running.get(name)) {
      if (running.argumentsHash !== argumentsHash) throw keyReused()
      const found = running
      const outcome = await traceWait('an earlier call with the same key', this.#deps.clock, () => waitFor(found, limits))
      if (outcome.kind === 'value') return outcome.value
      if (outcome.kind === 'final') throw outcome.error
      // It did nothing, so this call makes it, unless another one was faster.
    }
    if (this.#isClosed || limits.cancelSignal.aborted) throw callEnded()
    const { store } = opened
    const args = row.idempotency === 'keyed' ? withNonce(call.args, id) : call.args
    const isRepeated = isRepeatable(row, args)
    const hasNonce = () => store.ageOf(name) < BUDGETS.nonceRepeatMs.value
    const kept = store.find(name)
    if (kept !== undefined) {
      if (argumentsHash !== kept.argumentsHash && kept.state !== 'unsealed') throw keyReused()
      if (!isSentAgain(kept) || !isRepeated || !hasNonce()) return keptResult(opened, id, name, kept)
    }
    const run: KeyedRun = new KeyedRun({
      clock: this.#deps.clock,
      argumentsHash,
      deadlineAt: limits.deadlineAt,
      earlier: kept !== undefined && isUnknown(kept.state) ? kept.state : undefined,
      onLeaving: () => store.begin(name, call.program, argumentsHash, isRepeated),
      // It may have waited since for the rate limits of the platform.
      onLeavingAgain: () => {
        if (!hasNonce()) throw unknownOutcome(run.reason)
      },
      detach: () => call.detach(JSON.stringify(call.args).length),
    })
    this.#running.set(name, run)
    void this.#perform(opened, { id, name, row, args }, run, work).then((outcome) => {
      this.#running.delete(name)
      run.settle(outcome)
    })
    const outcome = await waitFor(run, limits)
    if (outcome.kind === 'value') return outcome.value
    throw outcome.error
  }

  /** Ends what runs, and stores it. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#keepOld()
    await Promise.all([...this.#running.values()].map((run) => run.stop()))
    const opened = await this.#opening?.catch(() => undefined)
    opened?.store.close()
  }

  #open(): Promise<OpenedKeys> {
    this.#keepOld()
    this.#opening ??= this.#deps.open().then(
      (opened) => (this.#opened = opened),
      (failure: unknown) => {
        // The next call tries again.
        this.#opening = undefined
        throw failure
      },
    )
    return this.#opening
  }

  async #perform({ store, seal }: OpenedKeys, { id, name, row, args }: Begun, run: KeyedRun, work: Work): Promise<Outcome> {
    try {
      const value = await work(run, run, args)
      if (row.returnsSecrets === true) store.end(name, 'taken')
      else store.end(name, 'value', seal.seal(id, jsonTextOf(value) ?? JSON.stringify(value ?? null)))
      return { kind: 'value', value }
    } catch (error) {
      if (!run.hasLeft) return { kind: 'none', error }
      const { effect, reason } = run
      if (effect === 'unknown') {
        store.end(name, reason)
        return { kind: 'final', error: unknownOutcome(reason, error) }
      }
      if (effect === 'taken') {
        store.end(name, 'taken')
        return { kind: 'final', error: error instanceof BridgeError ? resultNotRead(error) : error }
      }
      if (isFinalError(error)) {
        store.end(name, 'error', seal.seal(id, JSON.stringify(toStoredError(error))))
        return { kind: 'final', error }
      }
      store.forget(name)
      return { kind: 'none', error }
    }
  }
}

function waitFor(run: KeyedRun, limits: KeyedLimits): Promise<Outcome> {
  limits.waitsFor = run
  return run.join(limits.cancelSignal)
}

/** The arguments of `unsealed` calls cannot be compared. */
const isSentAgain = ({ state }: KeptCall): boolean => isUnknown(state) && state !== 'unsealed'

/**
 * The same for each repeat, so that the platform finds the first message. A nonce of the game stays what it is: one that it uses for several
 * messages, without `enforce_nonce`, must not make the platform return the first of them.
 */
const withNonce = (args: Args, id: Buffer): Args =>
  args['nonce'] == null && args['enforce_nonce'] !== false
    ? { ...args, nonce: id.toString('hex').slice(0, NONCE_CHARACTERS), enforce_nonce: true }
    : args

function keptResult({ store, seal }: OpenedKeys, id: Buffer, name: string, { state }: KeptCall): unknown {
  if (isUnknown(state)) throw unknownOutcome(state)
  const result = state === 'taken' ? undefined : store.result(name)
  const text = result === undefined ? undefined : seal.open(id, result)
  if (text === undefined) throw state === 'error' ? unknownOutcome('unread') : resultNotKept()
  const value: unknown = JSON.parse(text)
  if (state === 'error') throw fromStoredError(value as Parameters<typeof fromStoredError>[0])
  return asKept(withJsonText(value, text))
}
