/** Questions to the user about programs: shown on every surface there is, answered once, never twice at a time about the same thing. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { isKnown, placeKey, type Program } from '../../identity/program.ts'
import { programInWords } from '../../identity/program-words.ts'
import type { QuestionBounds } from './question-bounds.ts'
import { Refusals } from './refusals.ts'
import type { Why } from './rules.ts'

/** What the user is asked to allow. */
export interface Matter {
  readonly program: Program
  readonly pid: number | undefined
  /** The connection that asks: all that is known of a program that cannot be identified. */
  readonly connection: number
  readonly applicationId: string
  readonly applicationName: string | undefined
  /** Undefined when only the platform will know whom it is about. */
  readonly userId: string | undefined
  readonly username: string | undefined
  /** Only what was not allowed before. */
  readonly scopes: readonly string[]
  /** What is to be started, when the question is about that and not about an account. `program` is then the one that registered it. */
  readonly launch?: string
  readonly why: Why
}

export interface Question extends Matter {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly askedAt: number
}

/** Asks the user. Rejects with OAUTH2_ERROR (no), TRANSACTION_ABORTED (nobody answered, or the caller left) or SERVICE_UNAVAILABLE (nobody can see it). */
export interface Consent {
  ask(matter: Matter, signal: AbortSignal): Promise<void>
}

/** A place that shows a question and gets the answer itself. The signal ends it once the question is answered elsewhere. */
export type QuestionSurface = (question: Question, signal: AbortSignal) => Promise<boolean>

export interface QuestionsParts {
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
  readonly bounds: QuestionBounds
  readonly surfaces: readonly QuestionSurface[]
  /** Whether somebody can see the list of open questions and answer from there. */
  readonly isListShown: boolean
}

type Outcome = 'allowed' | 'denied' | 'late' | 'withdrawn'

interface Open {
  readonly key: string
  readonly question: Question
  readonly outcome: PromiseWithResolvers<Outcome>
  /** Gives its place back. */
  readonly leave: (wasAllowed: boolean) => void
  readonly stop: AbortController
  /** Callers that wait for it. */
  waiting: number
}

const DEADLINE_MS = LIMITS.authorizationMs.value

/** Another question about the same program, which has an answer of its own. */
const isOther = (one: Matter, other: Matter): boolean =>
  one.userId !== other.userId || one.launch !== other.launch || one.scopes.join(' ') !== other.scopes.join(' ')

/** One program is asked about once; those that cannot be identified are never taken for one another. */
const keyOf = ({ program, applicationId, connection, launch }: Matter): string =>
  JSON.stringify([
    placeKey(program),
    program.file,
    program.interpreter?.file,
    program.session,
    applicationId,
    launch !== undefined,
    ...(isKnown(program) ? [] : [connection]),
  ])

export const denied = (): BridgeError =>
  new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: access_denied: The user did not allow this program to use the account.')

export class Questions implements Consent {
  readonly #parts: QuestionsParts
  readonly #open = new Map<string, Open>()
  readonly #refusals: Refusals

  constructor(parts: QuestionsParts) {
    this.#parts = parts
    this.#refusals = new Refusals(parts.clock)
  }

  pending(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question)
  }

  /** False when no such question is open: it was answered, withdrawn, or is too old. */
  answer(id: string, isAllowed: boolean): boolean {
    const open = [...this.#open.values()].find(({ question }) => question.id === id)
    if (open === undefined) return false
    this.#settle(open, isAllowed ? 'allowed' : 'denied')
    return true
  }

  async ask(matter: Matter, signal: AbortSignal): Promise<void> {
    const key = keyOf(matter)
    if (this.#refusals.isQuiet(matter.program)) throw denied()
    const open = this.#open.get(key) ?? this.#begin(key, matter)
    if (isOther(open.question, matter)) {
      throw new BridgeError('TRANSACTION_ABORTED', 'The user is asked something else about this program already; sign in again after that.')
    }
    const left = Promise.withResolvers<Outcome>()
    const leave = () => left.resolve('withdrawn')
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    open.waiting++
    try {
      check(await Promise.race([open.outcome.promise, left.promise]))
    } finally {
      signal.removeEventListener('abort', leave)
      open.waiting--
      if (open.waiting === 0) this.#settle(open, 'withdrawn')
    }
  }

  #begin(key: string, matter: Matter): Open {
    const { clock, log, bounds, surfaces, isListShown } = this.#parts
    if (surfaces.length === 0 && !isListShown) {
      throw new BridgeError(
        'SERVICE_UNAVAILABLE',
        'The user must allow this program, and nobody can be asked: run the bridge in a terminal, or with its dashboard.',
      )
    }
    const leave = bounds.admit(matter.program)
    const question: Question = { ...matter, id: this.#freeId(), askedAt: clock.now() }
    const open: Open = { key, question, outcome: Promise.withResolvers(), stop: new AbortController(), leave, waiting: 0 }
    this.#open.set(key, open)
    const cancelTimer = clock.after(DEADLINE_MS, () => this.#settle(open, 'late'))
    open.stop.signal.addEventListener('abort', cancelTimer, { once: true })
    log.info('grant-asked', {
      question: question.id,
      application: matter.applicationId,
      program: programInWords(matter.program),
      why: matter.why,
    })
    for (const show of surfaces) {
      show(question, open.stop.signal).then(
        (isAllowed) => this.#settle(open, isAllowed ? 'allowed' : 'denied'),
        // A surface that fails leaves the question to the others and to its deadline.
        (err: unknown) => open.stop.signal.aborted || log.warn('question-not-shown', { err }),
      )
    }
    return open
  }

  #freeId(): string {
    for (;;) {
      const id = this.#parts.newId()
      if (!this.pending().some((question) => question.id === id)) return id
    }
  }

  /** The first outcome counts. */
  #settle(open: Open, outcome: Outcome): void {
    if (this.#open.get(open.key) !== open) return
    this.#open.delete(open.key)
    open.leave(outcome === 'allowed')
    if (outcome === 'denied') this.#refusals.note(open.question.program)
    if (outcome === 'allowed') this.#refusals.forget(open.question.program)
    this.#parts.log.info('grant-answered', { question: open.question.id, outcome })
    open.outcome.resolve(outcome)
    open.stop.abort()
  }
}

function check(outcome: Outcome): void {
  switch (outcome) {
    case 'allowed':
      return
    case 'denied':
      throw denied()
    case 'late':
      throw new BridgeError('TRANSACTION_ABORTED', `Nobody answered the question within ${DEADLINE_MS / 60_000} minutes; sign in again.`)
    case 'withdrawn':
      throw new BridgeError('TRANSACTION_ABORTED', 'The question was withdrawn before the user answered it.')
  }
}
