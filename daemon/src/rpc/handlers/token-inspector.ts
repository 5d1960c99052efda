/** Asks the platform about a token. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { once } from '@sallyport/core/once'
import type { Secret } from '@sallyport/core/secret'
import type { UnauthenticatedRequests } from '../../accounting/unauthenticated-requests.ts'
import type { CallLimits, Forwarder } from '../../platform/api/forwarder-port.ts'
import type { Session } from '../../sessions/session.ts'

export interface TokenInspectorDeps {
  readonly forwarder: Pick<Forwarder, 'forward'>
  /** Sends requests with credentials that a program supplied and that are not verified yet. */
  readonly unauthenticatedRequests: UnauthenticatedRequests
}

export type TokenInformation = DataOf<'GET_CURRENT_AUTHORIZATION_INFORMATION'>

export class TokenInspector {
  readonly #deps: TokenInspectorDeps

  constructor(deps: TokenInspectorDeps) {
    this.#deps = deps
  }

  /** Returns the platform's information about a token. Rejects with INVALID_TOKEN if it is not valid for this application. */
  async inspect(token: Secret<string>, applicationId: string, { cancelSignal, deadlineAt }: CallLimits): Promise<TokenInformation> {
    const information = (await this.#deps.forwarder.forward(
      ENDPOINTS.GET_CURRENT_AUTHORIZATION_INFORMATION,
      {},
      { kind: 'user', applicationId, userId: undefined, token },
      cancelSignal,
      deadlineAt,
    )) as TokenInformation
    if (information.application.id !== applicationId) {
      throw new BridgeError('INVALID_TOKEN', `The token belongs to application ${information.application.id}, not to ${applicationId}.`)
    }
    return information
  }

  /** Inspects a token that a program supplied, within the limit for unverified requests. */
  inspectOwn(token: Secret<string>, session: Session, limits: CallLimits): Promise<TokenInformation> {
    return this.#limited(token, session, () => this.inspect(token, session.applicationId, limits))
  }

  /**
   * The same for a token that the daemon may store, which is known once the vault is open. The request does not wait for that: it begins within the
   * limit, and only a stored token does without. One request is sent in both cases.
   */
  async inspectUnlessStored(
    token: Secret<string>,
    session: Session,
    limits: CallLimits,
    isStored: Promise<boolean>,
  ): Promise<TokenInformation> {
    const inspect = once(() => this.inspect(token, session.applicationId, limits))
    const limited = this.#limited(token, session, inspect)
    // The limit may refuse a stored token before it is known as one.
    limited.catch(() => {})
    return (await isStored) ? inspect() : limited
  }

  #limited(
    token: Secret<string>,
    { program, applicationId }: Session,
    inspect: () => Promise<TokenInformation>,
  ): Promise<TokenInformation> {
    return this.#deps.unauthenticatedRequests.runForToken(program, applicationId, token.reveal(), inspect)
  }
}
