/** Calls operations of the HTTP API on behalf of a session, an account or a bot. The token comes from Credentials, the request from the forwarder. */
import {
  type EndpointRow,
  type FileUpload,
  LIMITS,
  type RemovedConnections,
  requirementOfUser,
  selectToken,
  type TokenUse,
} from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { currentCall } from '@sallyport/core/current-call'
import type { Logger } from '@sallyport/core/logger'
import { isCountedRefusal, tooManyRefused } from '../accounting/unauthenticated-requests.ts'
import type { Window } from '../accounting/window.ts'
import type { TokenAccount } from '../auth/auth.ts'
import type { Credentials } from '../auth/credentials.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { CallLimits, Credential, Forwarder, RequestFollower } from '../platform/api/forwarder-port.ts'
import type { ChunkedUploads } from '../platform/api/chunked-uploads.ts'
import { openUpload } from '../platform/api/open-upload.ts'
import { unavailability } from '../platform/api/refusal.ts'
import { type BotConsent, botNotAllowed } from './bot-consent.ts'
import { touchGrantOnCall } from './grant-use.ts'
import { chosenToken } from './chosen-token.ts'
import { requireScopes, unauthenticatedScopes } from './required-scopes.ts'
import type { Session } from './session.ts'
import { type CallDeadline, TimedCall } from './timed-call.ts'

interface ApiClientDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly credentials: Credentials
  /** The right of a session to use the bot of its application. */
  readonly botConsent: Pick<BotConsent, 'isAllowed' | 'obtain'>
  readonly forwarder: Pick<Forwarder, 'forward'>
  /** Counts the requests of each signed-in program that the platform rejected. */
  readonly authenticatedFailures: Pick<Window, 'waitMs' | 'count'>
  /** Records when a program last used its grant. */
  readonly grants: Pick<Grants, 'touch'>
  /** Connections to external services that the platform has removed. */
  readonly removedConnections: RemovedConnections
  /** Files that games sent in chunks. */
  readonly uploads: Pick<ChunkedUploads, 'open'>
}

type Args = Readonly<Record<string, unknown>>

/** How a session's call is made; decided once, when it arrives. */
export interface CallPlan {
  readonly token: TokenUse
  /** Whether the call may need the user's consent to use the bot, which the user has not given yet. */
  readonly needsConsent: boolean
}

const WITH_USER: CallPlan = { token: 'user', needsConsent: false }
/** All plans, so that a call makes none. */
const PLANS: Readonly<Record<TokenUse, { readonly ready: CallPlan; readonly unconsented: CallPlan }>> = {
  user: { ready: WITH_USER, unconsented: WITH_USER },
  bot: { ready: { token: 'bot', needsConsent: false }, unconsented: { token: 'bot', needsConsent: true } },
  'bot-if-stored': {
    ready: { token: 'bot-if-stored', needsConsent: false },
    unconsented: { token: 'bot-if-stored', needsConsent: true },
  },
}

/** Whose token a planned call carries, as far as the plan says: a program's key is another one for another account. */
export function accountOfPlan(row: EndpointRow, { token }: CallPlan, { signedIn }: Pick<Session, 'signedIn'>): string {
  if (row.auth === 'interaction' || row.auth === 'none') return 'none'
  return token === 'user' ? `user ${signedIn?.userId}` : 'bot'
}

export class ApiClient {
  readonly #deps: ApiClientDeps

  constructor(deps: ApiClientDeps) {
    this.#deps = deps
  }

  /** The plan of a session's call. The token is selected by the user who is signed in now. */
  plan(session: Session, row: EndpointRow, args: Args): CallPlan {
    const { ready, unconsented } = PLANS[selectToken(row, args, session.signedIn?.userId)]
    return row.unavailable !== undefined || this.#deps.botConsent.isAllowed(session) ? ready : unconsented
  }

  /**
   * Calls an operation as the game of this session would, and shapes the response for it. Checks the scopes, and runs under the deadline
   * of the session. `follower`: follows the requests.
   */
  async asSession(session: Session, row: EndpointRow, args: Args, follower?: RequestFollower): Promise<unknown> {
    requireScopes(row.name, row.requires, session)
    const call = session.track(new TimedCall(this.#deps.clock, session.deadlineMs, session, currentCall()))
    return call.run((limits) => this.asSessionWithin(limits, session, row, args, undefined, follower))
  }

  /** The same as part of a call whose owner has checked the scopes, ends it at its deadline, and may have planned it. It may follow the requests. */
  async asSessionWithin(
    limits: CallLimits,
    session: Session,
    row: EndpointRow,
    args: Args,
    plan: CallPlan = this.plan(session, row, args),
    follower?: RequestFollower,
  ): Promise<unknown> {
    const { clock, credentials, forwarder, authenticatedFailures, removedConnections } = this.#deps
    const gone = unavailability(row)
    if (gone !== undefined) throw gone
    const waitMs = authenticatedFailures.waitMs(session.programKey)
    if (waitMs > 0) throw tooManyRefused(waitMs)
    const found = this.#credentialOf(session, row, plan, limits)
    // Awaits only a promise, because an extra turn would slow every call.
    let credential = found instanceof Promise ? await found : found
    currentCall()?.steps?.tokenChosen(chosenToken(row, plan.token, credential))
    touchGrantOnCall(session, clock.now(), this.#deps)
    const requestArgs = row.upload === undefined ? args : await this.#withFiles(row.upload, args, session)
    let answer: unknown
    for (;;) {
      try {
        answer = await forwarder.forward(row, requestArgs, credential, limits.cancelSignal, limits.deadlineAt, follower)
        break
      } catch (failure) {
        if (isCountedRefusal(failure)) authenticatedFailures.count(session.programKey)
        const renewed = await credentials.renewed(failure, session, credential, limits.cancelSignal)
        if (renewed === undefined) throw await credentials.errorOf(failure, credential, limits)
        credential = renewed
      }
    }
    return row.shapeResponse === undefined
      ? answer
      : row.shapeResponse(answer, { now: clock.now(), scopes: session.scopes, removedConnections })
  }

  /** Calls an operation with the stored token of an account, without a session. */
  asAccount(account: TokenAccount, row: EndpointRow, args: Args): Promise<unknown> {
    const { clock, credentials, forwarder } = this.#deps
    return new TimedCall(clock, LIMITS.deadlineMs.value, undefined, currentCall()).run(async ({ cancelSignal, deadlineAt }) =>
      forwarder.forward(row, args, await credentials.forAccount(account, cancelSignal), cancelSignal, deadlineAt),
    )
  }

  /** Calls an operation as the bot of an application, without a session. */
  async asBot(applicationId: string, row: EndpointRow, args: Args, limits: CallLimits): Promise<unknown> {
    const { credentials, forwarder } = this.#deps
    const credential = await credentials.forBot(applicationId, limits)
    try {
      return await forwarder.forward(row, args, credential, limits.cancelSignal, limits.deadlineAt)
    } catch (failure) {
      throw await credentials.errorOf(failure, credential, limits)
    }
  }

  /** Obtains the consent that a plan needs. Does not prompt when there is no bot token. */
  async obtainBotConsent(session: Session, limits: CallDeadline): Promise<void> {
    const { credentials, botConsent } = this.#deps
    if (await credentials.hasBot(session.applicationId, limits)) await botConsent.obtain(session, limits.signal)
  }

  /** The credential of a planned call; undefined where the platform requires no more than the arguments. */
  #credentialOf(session: Session, row: EndpointRow, plan: CallPlan, limits: CallLimits): Credential | Promise<Credential> | undefined {
    if (row.auth === 'interaction' || row.auth === 'none') return undefined
    switch (plan.token) {
      case 'user':
        return this.#userCredential(session, row, limits)
      case 'bot':
        return this.#botCredential(session, limits)
      case 'bot-if-stored':
        return this.#botElseUserCredential(session, row, plan, limits)
    }
  }

  /** A user who signs in meanwhile did not make the call, whose arguments may name another user. */
  async #botElseUserCredential(session: Session, row: EndpointRow, plan: CallPlan, limits: CallLimits): Promise<Credential> {
    // Only a session without a sign-in needs consent.
    const isSignedOut = plan.needsConsent || session.signedIn === undefined
    if (await this.#deps.credentials.hasBot(session.applicationId, limits)) return this.#botCredential(session, limits)
    if (isSignedOut) requireScopes(row.name, requirementOfUser(row), { scopes: unauthenticatedScopes(session.connection.peer) })
    return this.#userCredential(session, row, limits)
  }

  /** The router has checked the scopes of rows for users only. */
  #userCredential(session: Session, row: EndpointRow, { cancelSignal }: CallLimits): Credential | Promise<Credential> {
    if (row.auth === 'user-or-bot') requireScopes(row.name, requirementOfUser(row), session)
    return this.#deps.credentials.forSession(session, cancelSignal)
  }

  /** A missing token is reported first, because without it there is nothing to allow. */
  async #botCredential(session: Session, limits: CallLimits): Promise<Credential> {
    const credential = await this.#deps.credentials.forBot(session.applicationId, limits)
    if (!this.#deps.botConsent.isAllowed(session)) throw botNotAllowed()
    return credential
  }

  #withFiles(upload: FileUpload, args: Args, { connection: { id, peer } }: Session): Promise<Args> {
    return openUpload(upload, args, peer, (uploadId, field) => this.#deps.uploads.open(id, uploadId, field))
  }
}
