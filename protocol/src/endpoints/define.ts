/** How an endpoint row is written: one operation of the platform's HTTP API. Every row is also a command of the same name. */
import * as z from 'zod'
import type { Provenance } from '../commands/define.ts'
import type { PermissionName } from '../permissions.ts'
import { AuditLogReason } from '../schema/audit-log-reason.ts'
import type { Requirement } from '../scopes.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Names of the `{parameters}` of a path template. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameters<Rest> : never

/**
 * What a repeat does, and so whether the forwarder may retry: `safe` = reads only; `natural` = repeating changes nothing more;
 * `keyed` = safe to repeat when the caller gave a nonce with enforce_nonce; `none` = never retried once sent.
 */
export type Idempotency = 'safe' | 'natural' | 'keyed' | 'none'

export interface EndpointRow<Name extends string = string, Args extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** The command name: the operation's documented title in capitals. */
  readonly name: Name
  readonly summary: string
  readonly method: HttpMethod
  /** Template below the API base, e.g. `/lobbies/{lobby_id}/messages`. */
  readonly path: string
  readonly pathParameters: readonly string[]
  readonly queryParameters: readonly string[]
  /** Argument that is sent as the whole body (a body that is an array); absent: all arguments that are neither path nor query. */
  readonly bodyArgument?: string
  readonly encoding: 'json' | 'form'
  /** All arguments of the command: path, query and body together. */
  readonly args: Args
  readonly response: Response
  /** Status codes of success. */
  readonly success: readonly number[]
  /** Whose token is sent. */
  readonly auth: 'user' | 'bot' | 'user-or-bot' | 'client'
  /** Scopes a user token needs. */
  readonly requires: Requirement
  /** Guild permissions the platform checks. */
  readonly permissions: readonly PermissionName[]
  /** Path parameter by which the platform splits rate-limit buckets. */
  readonly majorParameter?: string
  readonly idempotency: Idempotency
  /** Whether the guild's audit log keeps a reason for it; such rows take the argument named by `reasonArgument`. */
  readonly audited: boolean
  /** Argument that is sent as the header `X-Audit-Log-Reason`, percent-encoded; neither path, query nor body. */
  readonly reasonArgument?: string
  /** JSON error codes of the platform that this operation documents. */
  readonly platformErrors: readonly number[]
  /** Present when apps cannot use the operation: refused without a request. */
  readonly unavailable?: { readonly since: string; readonly reason: string }
  readonly provenance: Provenance
  readonly since: string
}

const AUDITED_SHAPE = { audit_log_reason: AuditLogReason.optional() } as const
type ArgsOf<Shape extends z.ZodRawShape, Audited extends boolean> = z.ZodObject<
  Audited extends true ? Shape & { audit_log_reason: z.ZodOptional<typeof AuditLogReason> } : Shape,
  z.core.$strict
>

/** What is wrong, and where. */
export interface ArgumentProblem {
  readonly path: readonly string[]
  readonly message: string
}

interface EndpointInput<
  Name extends string,
  Path extends string,
  Params extends Record<PathParameters<Path>, z.ZodType>,
  Query extends z.ZodRawShape,
  Body extends z.ZodRawShape,
  Response extends z.ZodType,
  Audited extends boolean,
> extends Pick<EndpointRow, 'summary' | 'method' | 'auth' | 'requires' | 'idempotency' | 'provenance'>,
    Partial<Pick<EndpointRow, 'bodyArgument' | 'encoding' | 'success' | 'permissions' | 'platformErrors' | 'unavailable' | 'since'>> {
  readonly name: Name
  readonly path: Path
  readonly params: Params
  readonly query?: Query
  readonly body?: Body
  readonly response: Response
  /** Absent: false. */
  readonly audited?: Audited
  /** What is wrong between the arguments of the body, each of which is right by itself. */
  readonly rules?: (body: z.output<z.ZodObject<Body>>) => readonly ArgumentProblem[]
}

const MAJOR_PARAMETERS = ['channel_id', 'guild_id', 'webhook_id']

export function defineEndpoint<
  const Name extends string,
  const Path extends string,
  Params extends Record<PathParameters<Path>, z.ZodType>,
  Query extends z.ZodRawShape = Record<never, never>,
  Body extends z.ZodRawShape = Record<never, never>,
  Response extends z.ZodType = z.ZodType,
  const Audited extends boolean = false,
>(
  input: EndpointInput<Name, Path, Params, Query, Body, Response, Audited>,
): EndpointRow<Name, ArgsOf<Params & Query & Body, Audited>, Response> {
  const { params, query, body, audited = false, rules, ...row } = input
  const pathParameters = Object.keys(params)
  const majorParameter = MAJOR_PARAMETERS.find((name) => pathParameters.includes(name))
  return {
    encoding: 'json',
    success: [200],
    permissions: [],
    audited,
    platformErrors: [],
    since: '1.0',
    ...row,
    ...(majorParameter === undefined ? {} : { majorParameter }),
    ...(audited ? { reasonArgument: 'audit_log_reason' } : {}),
    pathParameters,
    queryParameters: Object.keys(query ?? {}),
    // The compiler cannot see through the condition on `audited`.
    args: ruled(
      z.strictObject({ ...params, ...query, ...body, ...(audited ? AUDITED_SHAPE : {}) }),
      rules as Rules | undefined,
    ) as unknown as ArgsOf<Params & Query & Body, Audited>,
  }
}

type Rules = (args: unknown) => readonly ArgumentProblem[]

const ruled = <Schema extends z.ZodType>(schema: Schema, rules: Rules | undefined): Schema =>
  rules === undefined
    ? schema
    : schema.check((context) => {
        for (const { path, message } of rules(context.value))
          context.issues.push({ code: 'custom', path: [...path], message, input: context.value })
      })
