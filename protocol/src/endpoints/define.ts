/** How an endpoint row is written: one operation of the platform's HTTP API. Every row is also a command of the same name. */
import * as z from 'zod'
import type { AnswerFacts } from '../answers/facts.ts'
import type { Provenance } from '../commands/define.ts'
import type { LimitName } from '../limits.ts'
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

/**
 * Files that go with a call. With a file the body is multipart: `payload_json` holds the other arguments of the body (left out when the row
 * has none), and each file is a part. Without one the body is what it would be for any other row.
 *
 *   body: { ...CREATE_BODY, ...FILES_BODY }, upload: MESSAGE_FILES        parts files[0], files[1], …
 *   body: { target_users_file: FileInput }, upload: { argument: 'target_users_file', isList: false, … }     one part
 */
export interface FileUpload {
  /** Argument that holds the file (FileInput), or the list of files (FileInputs). */
  readonly argument: string
  /** A list has parts named `argument[n]`; a single file has a part named as its argument. */
  readonly isList: boolean
  /** Media type of a file that names none. */
  readonly contentType: string
  /** Bytes of each file. */
  readonly fileLimit: LimitName
  /** Bytes of the whole request, its other arguments counted too. */
  readonly requestLimit: LimitName
}

/** The files of a message, and of everything that is sent like one. */
export const MESSAGE_FILES: FileUpload = {
  argument: 'files',
  isList: true,
  contentType: 'application/octet-stream',
  fileLimit: 'attachmentBytes',
  requestLimit: 'messageRequestBytes',
}

/** An answer that is no JSON but a CSV of one column: its header, and the name under which the caller gets the values as a list. */
export interface CsvReply {
  readonly header: string
  readonly as: string
}

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
  /** Present when files can go with the call. */
  readonly upload?: FileUpload
  /** Present when the answer is a CSV. */
  readonly csvReply?: CsvReply
  /** All arguments of the command: path, query and body together. */
  readonly args: Args
  readonly response: Response
  /** Status codes of success. */
  readonly success: readonly number[]
  /** Whose token is sent; `interaction`: none, since the token of an interaction among the arguments is all it takes; `none`: anybody may ask. */
  readonly auth: 'user' | 'bot' | 'user-or-bot' | 'client' | 'interaction' | 'none'
  /** Scopes a user token needs. */
  readonly requires: Requirement
  /** Guild permissions the platform checks. */
  readonly permissions: readonly PermissionName[]
  /** Path parameter by which the platform splits rate-limit buckets. */
  readonly majorParameter?: string
  readonly idempotency: Idempotency
  /** Present when it takes something away that nobody can bring back. A row of the method DELETE does so without it. */
  readonly destructive?: true
  /** Whether the guild's audit log keeps a reason for it; such rows take the argument named by `reasonArgument`. */
  readonly audited: boolean
  /** Argument that is sent as the header `X-Audit-Log-Reason`, percent-encoded; neither path, query nor body. */
  readonly reasonArgument?: string
  /** JSON error codes of the platform that this operation documents. */
  readonly platformErrors: readonly number[]
  /** Brings the platform's answer into the shape that callers are promised: what a dated rule or the caller's scopes leave of it. Pure. */
  readonly present?: (answer: unknown, facts: AnswerFacts) => unknown
  /** Present when the platform has a newer operation for the same: the name of its row. */
  readonly deprecated?: string
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
  readonly path: readonly (string | number)[]
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
    Partial<
      Pick<
        EndpointRow,
        | 'bodyArgument'
        | 'encoding'
        | 'upload'
        | 'csvReply'
        | 'success'
        | 'permissions'
        | 'platformErrors'
        | 'deprecated'
        | 'destructive'
        | 'unavailable'
        | 'since'
      >
    > {
  readonly name: Name
  readonly path: Path
  readonly params: Params
  readonly query?: Query
  readonly body?: Body
  readonly response: Response
  /** Absent: false. */
  readonly audited?: Audited
  readonly present?: (answer: z.output<Response>, facts: AnswerFacts) => z.output<Response>
  /** What is wrong between the arguments of the body, each of which is right by itself. */
  readonly rules?: (body: z.output<z.ZodObject<Body>>) => readonly ArgumentProblem[]
}

const MAJOR_PARAMETERS = ['channel_id', 'guild_id', 'webhook_id', 'interaction_token']

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
  const { params, query, body, audited = false, present, rules, ...row } = input
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
    // Called only with what this row's own schema has let pass.
    ...(present === undefined ? {} : { present: present as NonNullable<EndpointRow['present']> }),
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
