/** Calls operations of the HTTP API on behalf of a session, an account or a bot. The token comes from Credentials, the request from the forwarder. */
import { type EndpointRow, type FileUpload, LIMITS, type RemovedConnections } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { isCountedRefusal, tooManyRefused } from '../accounting/unverified-requests.ts'
import type { Window } from '../accounting/window.ts'
import type { TokenAccount } from '../auth/auth.ts'
import type { Credentials } from '../auth/credentials.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { CallLimits, Credential, Forwarder } from '../platform/api/forwarder-port.ts'
import type { ChunkedUploads } from '../platform/api/chunked-uploads.ts'
import { openUpload } from '../platform/api/open-upload.ts'
import { unavailability } from '../platform/api/refusal.ts'
import { touchGrantOnCall } from './grant-use.ts'
import { requireScopes } from './required-scopes.ts'
import type { Session } from './session.ts'
import { TimedCall } from './timed-call.ts'

export interface ApiClientDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly credentials: Credentials
  readonly forwarder: Pick<Forwarder, 'forward'>
  /** Counts the requests of each signed-in program that the platform rejected. */
  readonly rejectedRequests: Pick<Window, 'waitMs' | 'count'>
  /** Records when a program last used its grant. */
  readonly grants: Pick<Grants, 'touch'>
  /** Connections to external services that the platform has removed. */
  readonly removedConnections: RemovedConnections
  /** Files that games sent in chunks. */
  readonly uploads: Pick<ChunkedUploads, 'open'>
}

type Args = Readonly<Record<string, unknown>>
type CredentialOf = (credentials: Credentials, session: Session, limits: CallLimits) => Credential | Promise<Credential> | undefined

const ofUser: CredentialOf = (credentials, session, { cancelSignal }) => credentials.forSession(session, cancelSignal)
const ofBot: CredentialOf = (credentials, { applicationId }, limits) => credentials.forBot(applicationId, limits)
const none: CredentialOf = () => undefined

/** The credential with which a session calls an operation. */
const CREDENTIALS: Readonly<Record<EndpointRow['auth'], CredentialOf>> = {
  user: ofUser,
  bot: ofBot,
  'user-or-bot': ofUser,
  client: ofUser,
  // The platform requires only the token among the arguments.
  interaction: none,
  none,
}

export class ApiClient {
  readonly #deps: ApiClientDeps

  constructor(deps: ApiClientDeps) {
    this.#deps = deps
  }

  /**
   * Calls an operation as the game of this session would, and shapes the response for it. With `limits` it is part of a call whose owner
   * has checked the scopes and ends it at its deadline. Without, it checks the scopes and runs under the deadline of the session.
   */
  asSession(session: Session, row: EndpointRow, args: Args, limits?: CallLimits): Promise<unknown> {
    return limits === undefined ? this.#asSessionAlone(session, row, args) : this.#asSession(session, row, args, limits)
  }

  /** Calls an operation with the stored token of an account, without a session. */
  asAccount(account: TokenAccount, row: EndpointRow, args: Args): Promise<unknown> {
    const { clock, credentials, forwarder } = this.#deps
    return new TimedCall(clock, LIMITS.deadlineMs.value).run(async ({ cancelSignal, deadlineAt }) =>
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

  async #asSessionAlone(session: Session, row: EndpointRow, args: Args): Promise<unknown> {
    requireScopes(row.name, row.requires, session.scopes)
    const call = session.track(new TimedCall(this.#deps.clock, session.deadlineMs, session))
    return call.run((limits) => this.#asSession(session, row, args, limits))
  }

  async #asSession(session: Session, row: EndpointRow, args: Args, limits: CallLimits): Promise<unknown> {
    const { clock, credentials, forwarder, rejectedRequests, removedConnections } = this.#deps
    const gone = unavailability(row)
    if (gone !== undefined) throw gone
    const waitMs = rejectedRequests.waitMs(session.programKey)
    if (waitMs > 0) throw tooManyRefused(waitMs)
    const found = CREDENTIALS[row.auth](credentials, session, limits)
    // Awaits only a promise, because an extra turn would slow every call.
    const credential = found instanceof Promise ? await found : found
    touchGrantOnCall(session, clock.now(), this.#deps)
    const requestArgs = row.upload === undefined ? args : await this.#withFiles(row.upload, args, session)
    let answer: unknown
    try {
      answer = await forwarder.forward(row, requestArgs, credential, limits.cancelSignal, limits.deadlineAt)
    } catch (failure) {
      if (isCountedRefusal(failure)) rejectedRequests.count(session.programKey)
      throw await credentials.errorOf(failure, credential, limits)
    }
    return row.shapeResponse === undefined
      ? answer
      : row.shapeResponse(answer, { now: clock.now(), scopes: session.scopes, removedConnections })
  }

  #withFiles(upload: FileUpload, args: Args, { connection: { id, peer } }: Session): Promise<Args> {
    return openUpload(upload, args, peer, (uploadId, field) => this.#deps.uploads.open(id, uploadId, field))
  }
}
