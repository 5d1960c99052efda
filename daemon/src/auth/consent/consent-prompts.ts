/** Consent prompts: shown on every display, answered once, and at most one at a time about the same request. */
import { Signal } from '@sallyport/core/signal'
import { expandScopes, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { traceWait } from '@sallyport/core/current-call'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { type FileIdentity, isKnown, programKey, type Program } from '../../identity/program.ts'
import { programText } from '../../identity/program-text.ts'
import { type PromptLimits, type PromptOutcome, Refusals } from './prompt-limits.ts'
import type { GrantTime } from '../grants/grant.ts'
import type { ConsentReason } from './decision.ts'

/** The account of grants and prompts for the bot of an application. No user of a platform has this id. */
export const BOT = { userId: 'bot', displayName: 'the bot of the application', scopes: ['bot'] } as const

/** What the user is prompted to allow. */
export interface ConsentRequest {
  readonly program: Program
  readonly pid: number | undefined
  /** The requesting connection: the only identity of a program that cannot be identified. */
  readonly connection: number
  readonly applicationId: string
  readonly applicationName: string | undefined
  /** Undefined when only the platform knows the user. */
  readonly userId: string | undefined
  readonly username: string | undefined
  /** Only those that were not allowed before. */
  readonly scopes: readonly string[]
  /** See AuthorizationRequest. */
  readonly addedScopes?: readonly string[] | undefined
  /** Launch command, when the prompt is about a launch and not an account. `program` is then the one that registered it. */
  readonly launch?: string
  readonly reason: ConsentReason
  /** See PromptNeeded. */
  readonly formerLoader?: FileIdentity | undefined
}

export interface ConsentPrompt extends ConsentRequest {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  /** Why the bridge may not know what the user allowed before. */
  readonly note?: string | undefined
}

/** What the user chose with the answer. A program that cannot be recognised later has no choice. */
export interface ConsentChoice {
  /** Of the scopes in the prompt, or parts of them. */
  readonly deniedScopes: readonly string[]
  readonly lasts: GrantTime
}

export const ALL_KEPT: ConsentChoice = { deniedScopes: [], lasts: 'kept' }

/** Prompts the user. Rejects with OAUTH2_ERROR (denied), TRANSACTION_ABORTED (timeout or cancelled) or SERVICE_UNAVAILABLE (no display). */
export interface Consent {
  ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentChoice>
}

/** Displays a prompt and resolves with the answer. The signal fires once the prompt is answered elsewhere. */
export type PromptDisplay = (prompt: ConsentPrompt, signal: AbortSignal) => Promise<boolean>

interface ConsentPromptsDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
  /** See ConsentPrompt. */
  readonly note?: () => string | undefined
  readonly limits: PromptLimits
  readonly displays: readonly PromptDisplay[]
  /** Whether the dashboard lists the open prompts. */
  readonly isListShown: boolean
}

interface OpenPrompt {
  readonly key: string
  readonly prompt: ConsentPrompt
  readonly outcome: PromiseWithResolvers<PromptOutcome>
  /** Releases its share of the limits. */
  readonly release: (outcome: PromptOutcome) => void
  readonly stop: AbortController
  /** Number of calls that wait for it. */
  waiting: number
  choice: ConsentChoice
}

const DEADLINE_MS = LIMITS.authorizationMs.value

/** Whether two requests about the same program need separate answers. */
const isDifferent = (one: ConsentRequest, other: ConsentRequest): boolean =>
  one.userId !== other.userId || one.launch !== other.launch || one.scopes.join(' ') !== other.scopes.join(' ')

/** One open prompt per program. Programs that cannot be identified are kept apart by connection. */
const keyOf = ({ program, applicationId, connection, launch }: ConsentRequest): string =>
  JSON.stringify([
    programKey(program),
    program.executable,
    program.file,
    program.interpreter?.file,
    program.loader?.file,
    program.session,
    applicationId,
    launch !== undefined,
    ...(isKnown(program) ? [] : [connection]),
  ])

export const denied = (): BridgeError =>
  new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: access_denied: The user did not allow this program to use the account.')

export class ConsentPrompts implements Consent {
  readonly #deps: ConsentPromptsDeps
  readonly #open = new Map<string, OpenPrompt>()
  readonly #refusals: Refusals
  /** A prompt was opened or closed. */
  readonly changed = new Signal()

  constructor(deps: ConsentPromptsDeps) {
    this.#deps = deps
    this.#refusals = new Refusals(deps.clock)
  }

  pending(): readonly ConsentPrompt[] {
    return [...this.#open.values()].map(({ prompt }) => prompt)
  }

  /** False when no prompt with this id is open. Throws INVALID_PAYLOAD for a choice that the prompt does not have. */
  answer(id: string, isAllowed: boolean, choice: ConsentChoice = ALL_KEPT): boolean {
    const open = [...this.#open.values()].find(({ prompt }) => prompt.id === id)
    if (open === undefined) return false
    checkChoice(open.prompt, choice)
    open.choice = choice
    this.#settle(open, isAllowed ? 'allowed' : 'denied')
    return true
  }

  async ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentChoice> {
    const key = keyOf(request)
    if (this.#refusals.isMuted(request.program)) throw denied()
    const open = this.#open.get(key) ?? this.#begin(key, request)
    if (isDifferent(open.prompt, request)) {
      throw new BridgeError('TRANSACTION_ABORTED', 'Another prompt about this program is open. Let the user answer it, then sign in again.')
    }
    const cancelled = Promise.withResolvers<PromptOutcome>()
    const cancel = () => cancelled.resolve('cancelled')
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    open.waiting++
    try {
      const answered = () => Promise.race([open.outcome.promise, cancelled.promise])
      check(await traceWait('the answer of the user', this.#deps.clock, answered))
      return open.choice
    } finally {
      signal.removeEventListener('abort', cancel)
      open.waiting--
      if (open.waiting === 0) this.#settle(open, 'cancelled')
    }
  }

  #begin(key: string, request: ConsentRequest): OpenPrompt {
    const { clock, log, limits, displays, isListShown, note } = this.#deps
    if (displays.length === 0 && !isListShown) {
      throw new BridgeError(
        'SERVICE_UNAVAILABLE',
        'The user must allow this program, but no prompt can be shown. Run the bridge in a terminal, or with its dashboard.',
      )
    }
    const release = limits.admit(request.program)
    const prompt: ConsentPrompt = { ...request, id: this.#freeId(), askedAt: clock.now(), note: note?.() }
    const open: OpenPrompt = {
      key,
      prompt,
      outcome: Promise.withResolvers(),
      stop: new AbortController(),
      release,
      waiting: 0,
      choice: ALL_KEPT,
    }
    this.#open.set(key, open)
    const cancelTimer = clock.after(DEADLINE_MS, () => this.#settle(open, 'timeout'))
    open.stop.signal.addEventListener('abort', cancelTimer, { once: true })
    log.info('prompt-opened', {
      prompt: prompt.id,
      application: request.applicationId,
      program: programText(request.program),
      reason: request.reason,
    })
    this.changed.emit()
    for (const show of displays) {
      show(prompt, open.stop.signal).then(
        (isAllowed) => this.#settle(open, isAllowed ? 'allowed' : 'denied'),
        // When a display fails, the prompt stays open on the others until its deadline.
        (err: unknown) => open.stop.signal.aborted || log.warn('prompt-not-shown', { err }),
      )
    }
    return open
  }

  #freeId(): string {
    for (;;) {
      const id = this.#deps.newId()
      if (!this.pending().some((prompt) => prompt.id === id)) return id
    }
  }

  /** The first outcome counts. */
  #settle(open: OpenPrompt, outcome: PromptOutcome): void {
    if (this.#open.get(open.key) !== open) return
    this.#open.delete(open.key)
    open.release(outcome)
    if (outcome === 'denied') this.#refusals.record(open.prompt.program)
    if (outcome === 'allowed') this.#refusals.clear(open.prompt.program)
    this.#deps.log.info('prompt-answered', { prompt: open.prompt.id, outcome })
    open.outcome.resolve(outcome)
    open.stop.abort()
    this.changed.emit()
  }
}

/** Whether the user can choose more than yes or no. */
export const hasChoice = ({ program, launch, userId }: ConsentRequest): boolean =>
  isKnown(program) && program.session === undefined && launch === undefined && userId !== BOT.userId

function checkChoice(prompt: ConsentPrompt, { deniedScopes, lasts }: ConsentChoice): void {
  const refused = (message: string) => new BridgeError('INVALID_PAYLOAD', message, { path: 'scopes' })
  if (deniedScopes.length === 0 && lasts === 'kept') return
  if (!hasChoice(prompt)) throw refused('This prompt can only be allowed or denied as a whole.')
  const held = expandScopes(prompt.scopes)
  const unknown = deniedScopes.filter((scope) => !held.has(scope))
  if (unknown.length > 0) throw refused(`The prompt does not ask for ${unknown.join(', ')}.`)
  const left = [...held].filter((scope) => !expandScopes(deniedScopes).has(scope))
  if (left.length === 0) throw refused('No scope would be left; deny the prompt instead.')
}

function check(outcome: PromptOutcome): void {
  switch (outcome) {
    case 'allowed':
      return
    case 'denied':
      throw denied()
    case 'timeout':
      throw new BridgeError(
        'TRANSACTION_ABORTED',
        `The user did not answer the prompt within ${DEADLINE_MS / 60_000} minutes; sign in again.`,
      )
    case 'cancelled':
      throw new BridgeError('TRANSACTION_ABORTED', 'The prompt was cancelled before the user answered it.')
  }
}
