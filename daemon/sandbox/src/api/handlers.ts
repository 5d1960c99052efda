/** Types of the operation handlers, one for every ENDPOINTS row with a token. A missing or extra handler does not compile. */
import type { CommandName, ENDPOINTS, EndpointName } from '@sallyport/protocol'
import type * as z from 'zod'
import type { ReceivedFile } from '../http/exchange.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { ApiCaller, UserCaller } from './authentication.ts'

/** The rows of token endpoints, which have no command. The OAuth part handles them, without a token. */
export type OAuthEndpointName = Exclude<EndpointName, CommandName>
/** The rows without authentication. */
export type OpenEndpointName = 'GET_GATEWAY' | 'LIST_STICKER_PACKS'
export type ApiEndpointName = Exclude<EndpointName, OAuthEndpointName | OpenEndpointName>

type RowOf<Name extends EndpointName> = (typeof ENDPOINTS)[Name]

export interface Operation {
  readonly platform: Platform
  readonly caller: ApiCaller
  /** The uploaded files, in the order of their argument. */
  readonly files: readonly ReceivedFile[]
}

/** A reply with one of several success statuses. */
export class StatusReply<Data> {
  readonly status: number
  readonly data: Data

  constructor(status: number, data: Data) {
    this.status = status
    this.data = data
  }
}

/** Handles checked arguments of a caller with the required scopes. Throws PlatformError. */
export type Handler<Name extends ApiEndpointName> = (
  args: z.output<RowOf<Name>['args']>,
  operation: Operation,
) => z.input<RowOf<Name>['response']>
/** A handler that chooses the success status. */
export type StatusHandler<Name extends ApiEndpointName> = (...given: Parameters<Handler<Name>>) => StatusReply<ReturnType<Handler<Name>>>
/** An asynchronous handler. */
export type AsyncHandler<Name extends ApiEndpointName> = (...given: Parameters<Handler<Name>>) => Promise<ReturnType<Handler<Name>>>
export type Handlers = { readonly [Name in ApiEndpointName]: Handler<Name> | StatusHandler<Name> | AsyncHandler<Name> }

/** The caller of an operation for users only. */
export function asUser(caller: ApiCaller): UserCaller {
  if (caller.kind === 'bot') throw new PlatformError('botsCannot')
  return caller
}
