/** The handler of every row of ENDPOINTS that is called with a token; one that is missing, or has no row, does not compile. */
import type { CommandName, ENDPOINTS, EndpointName } from '@sallyport/protocol'
import type * as z from 'zod'
import type { ReceivedFile } from '../http/exchange.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { Caller, UserCaller } from './caller.ts'

/** The rows that give out tokens, which are those without a command: they are called without a token, so the OAuth part answers them. */
export type OAuthEndpointName = Exclude<EndpointName, CommandName>
/** The rows that anybody may call. */
export type OpenEndpointName = 'GET_GATEWAY'
export type ApiEndpointName = Exclude<EndpointName, OAuthEndpointName | OpenEndpointName>

type RowOf<Name extends EndpointName> = (typeof ENDPOINTS)[Name]

export interface Operation {
  readonly platform: Platform
  readonly caller: Caller
  /** That came with the call, in the order of the argument that stands for them. */
  readonly files: readonly ReceivedFile[]
}

/** An answer with one of several statuses of success. */
export class Answered<Data> {
  readonly status: number
  readonly data: Data

  constructor(status: number, data: Data) {
    this.status = status
    this.data = data
  }
}

/** Receives checked arguments of a caller with the scopes of the row; throws PlatformError for everything else that is wrong. */
export type Handler<Name extends ApiEndpointName> = (
  args: z.output<RowOf<Name>['args']>,
  operation: Operation,
) => z.input<RowOf<Name>['response']>
/** The same, choosing among the row's statuses of success. */
export type AnsweringHandler<Name extends ApiEndpointName> = (...given: Parameters<Handler<Name>>) => Answered<ReturnType<Handler<Name>>>
/** The same for what must ask somebody first. */
export type LaterHandler<Name extends ApiEndpointName> = (...given: Parameters<Handler<Name>>) => Promise<ReturnType<Handler<Name>>>
export type Handlers = { readonly [Name in ApiEndpointName]: Handler<Name> | AnsweringHandler<Name> | LaterHandler<Name> }

/** The caller of an operation that only users have. */
export function asUser(caller: Caller): UserCaller {
  if (caller.kind === 'bot') throw new PlatformError('botsCannot')
  return caller
}
