/** The right of a session to use the bot of its application. A user gives it: by a sign-in, by a grant of the program, or in a prompt. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { BOT, type Consent, type ConsentRequest } from '../auth/consent/consent-prompts.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { evaluateGrant } from '../auth/consent/decision.ts'
import { isKnown } from '../identity/program.ts'
import { type ProgramCheckDeps, readDigest, verifyProgram } from './program-check.ts'
import type { Session } from './session.ts'

interface BotConsentDeps extends Pick<ProgramCheckDeps, 'contents'> {
  readonly grants: Pick<Grants, 'allowed' | 'find' | 'allow' | 'applicationName' | 'touch'> & ProgramCheckDeps['grants']
  /** Prompts the user to allow a program. */
  readonly consentPrompts: Consent
  readonly clock: Clock
}

/** The error when the user has not allowed this program to use the bot. */
export const botNotAllowed = (): BridgeError =>
  new BridgeError(
    'INVALID_PERMISSIONS',
    'The user has not allowed this program to use the bot of the application. Sign in with AUTHORIZE and AUTHENTICATE, or let the user allow it in the prompt.',
  )

/** A denial is an OAuth error elsewhere, but this call is no sign-in. */
const isDenial = (failure: unknown): boolean => failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR'

export class BotConsent {
  readonly #deps: BotConsentDeps
  /** Sessions whose process was verified to run the program that their grants name. */
  readonly #verified = new WeakSet<Session>()

  constructor(deps: BotConsentDeps) {
    this.#deps = deps
  }

  /** A signed-in session has the right, because its user allowed this application here. */
  isAllowed(session: Session): boolean {
    if (session.signedIn !== undefined || session.allowances.covers(BOT.userId, BOT.scopes)) return true
    return this.#verified.has(session) && this.#isGranted(session)
  }

  /** Resolves when the session has the right; prompts the user if the program has no grant for the application. */
  async obtain(session: Session, signal: AbortSignal): Promise<void> {
    const { grants, contents, clock, consentPrompts } = this.#deps
    await verifyProgram(session, this.#deps)
    this.#verified.add(session)
    const { applicationId, connection } = session
    if (this.#isGranted(session)) {
      grants.touch({ program: session.program, applicationId, userId: BOT.userId }, {})
      return
    }
    await readDigest(session, contents)
    const { program } = session
    const key = { program, applicationId, userId: BOT.userId }
    const decision = evaluateGrant(grants.find(key), program, BOT.scopes, clock.now())
    if (decision.kind === 'allow') return
    const request: ConsentRequest = {
      program,
      pid: connection.peer.pid,
      connection: connection.id,
      applicationId,
      applicationName: grants.applicationName(applicationId),
      userId: BOT.userId,
      username: BOT.displayName,
      scopes: BOT.scopes,
      reason: decision.reason,
      formerLoader: decision.formerLoader,
    }
    await consentPrompts.ask(request, signal).catch((failure: unknown) => {
      throw isDenial(failure) ? botNotAllowed() : failure
    })
    grants.allow(key, BOT.scopes, { username: BOT.displayName })
    if (!isKnown(program)) session.allowances.add(BOT.userId, BOT.scopes)
  }

  /** A grant for any account of the application counts: its program could sign in without a prompt. */
  #isGranted({ program, applicationId }: Session): boolean {
    return isKnown(program) && this.#deps.grants.allowed(program, applicationId).length > 0
  }
}
