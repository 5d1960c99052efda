/** Definition of endpoint rows. A row is one operation of the platform's HTTP API, and also a command with the same name. */
import * as z from 'zod'
import type { ResponseContext } from '../responses/context.ts'
import type { Provenance } from '../commands/define.ts'
import type { LimitName } from '../limits.ts'
import { once } from '../once.ts'
import type { PermissionName } from '../permissions.ts'
import { AuditLogReason } from '../schema/audit-log-reason.ts'
import type { Requirement } from '../scopes.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Names of the `{parameters}` of a path template. */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameters<Rest> : never

/**
 * Effect of a repeat; decides whether the forwarder retries: `safe` = reads only; `natural` = a repeat has no further effect;
 * `keyed` = safe to repeat if the caller passed a nonce with enforce_nonce; `none` = never retried once sent.
 */
export type Idempotency = 'safe' | 'natural' | 'keyed' | 'none'

/**
 * Files of a call. With a file, the body is multipart: `payload_json` contains the other arguments of the body (omitted if the row
 * has none), and each file is a part. Without a file, the body is the same as for any other row.
 *
 *   body: { ...CREATE_BODY, ...FILES_BODY }, upload: MESSAGE_FILES        parts files[0], files[1], …
 *   body: { target_users_file: FileInput }, upload: { argument: 'target_users_file', isList: false, … }     one part
 */
export interface FileUpload {
  /** Argument with the file (FileInput), or the list of files (FileInputs). */
  readonly argument: string
  /** A list has parts named `argument[n]`; the part of a single file has the name of the argument. */
  readonly isList: boolean
  /** Default media type of a file. */
  readonly contentType: string
  /** Maximum bytes of each file. Files are not limited together. */
  readonly fileLimit: LimitName
  /** Argument with another maximum than `fileLimit`. It is not sent. */
  readonly limitArgument?: string
  /** Present if each other argument is a text part of its own instead of a field of `payload_json`. */
  readonly asFields?: true
}

/** Files of a message, and of other rows with the same fields. */
export const MESSAGE_FILES: FileUpload = {
  argument: 'files',
  isList: true,
  contentType: 'application/octet-stream',
  fileLimit: 'attachmentBytes',
}

/** Files of a response to an interaction, which says how large they may be. */
export const RESPONSE_FILES: FileUpload = { ...MESSAGE_FILES, limitArgument: 'attachment_size_limit' }

/** A CSV response with one column: its header, and the field with the list of values that the caller receives. */
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
  /** Argument that is sent as the whole body (an array); default: all arguments except path and query parameters. */
  readonly bodyArgument?: string
  /** Whether a call may have a body: an argument is sent neither in the path, nor in the query, nor as a header. */
  readonly hasBody: boolean
  readonly encoding: 'json' | 'form'
  /** Present if the call accepts files. */
  readonly upload?: FileUpload
  /** Present if the response is a CSV. */
  readonly csvReply?: CsvReply
  /** All arguments of the command: path, query and body together. */
  readonly args: Args
  readonly response: Response
  /** Status codes of success. */
  readonly success: readonly number[]
  /**
   * Token that is sent; `interaction`: none, because the interaction token in the arguments is sufficient; `none`: no token needed;
   * `user-or-bot`: `selectToken` selects it.
   */
  readonly auth: 'user' | 'bot' | 'user-or-bot' | 'client' | 'interaction' | 'none'
  /** Only with `user-or-bot`: more about when the bot's token is sent. */
  readonly botFor?: BotReasons
  /** Argument with which the caller requests the bot's token; it is not sent. Present with `user-or-bot`. */
  readonly asBotArgument?: string
  /** Scopes that a user token needs. */
  readonly requires: Requirement
  /** Guild permissions that the platform checks. */
  readonly permissions: readonly PermissionName[]
  /** Path parameter by which the platform splits rate-limit buckets. */
  readonly majorParameter?: string
  readonly idempotency: Idempotency
  /** Present if the response has secrets, so that the bridge does not keep it for a repeat with the same key. */
  readonly returnsSecrets?: true
  /** Present if it deletes something irrecoverably. Rows with the method DELETE count as destructive without it. */
  readonly destructive?: true
  /** Whether the guild's audit log stores a reason; such rows accept the argument named by `reasonArgument`. */
  readonly audited: boolean
  /** Argument that is sent as the header `X-Audit-Log-Reason`, percent-encoded; neither path, query nor body. */
  readonly reasonArgument?: string
  /** JSON error codes of the platform that this operation documents. */
  readonly platformErrors: readonly number[]
  /** Shapes the platform's response by dated rules and the caller's scopes. Pure. */
  readonly shapeResponse?: (response: unknown, context: ResponseContext) => unknown
  /** Present if the platform has a newer operation; the name of its row. */
  readonly deprecated?: string
  /** Present if applications cannot use the operation; calls fail without a request. */
  readonly unavailable?: { readonly since: string; readonly reason: string }
  readonly provenance: Provenance
  readonly since: string
}

/** When the bot's token is sent, besides on request and while no user is signed in. */
interface BotReasons {
  /** Argument that names a user. For any user but the signed-in one, the bot's token is sent. */
  readonly otherUser?: string
  /** Argument that names a guild as the owner. When it is present, the bot's token is sent. */
  readonly guildOwner?: string
  /** The operation is for the bot's own objects. Its token is sent whenever the bridge has it. */
  readonly isPreferred?: true
  /** The operation is about the caller. The bot's token is sent on request only, so a signed-out game does not act as the bot. */
  readonly isOnRequest?: true
}

const AS_BOT = 'as_bot'
const AS_BOT_SHAPE = once(() => ({
  as_bot: z.boolean().optional().meta({ description: "Whether to use the bot's token. Default: by the rule above." }),
}))
const AUDITED_SHAPE = once(() => ({ audit_log_reason: AuditLogReason().optional() }))
type NoShape = Record<never, never>
type ArgsOf<Shape extends z.ZodRawShape, Audited extends boolean, Auth extends EndpointRow['auth']> = z.ZodObject<
  Shape &
    (Audited extends true ? ReturnType<typeof AUDITED_SHAPE> : NoShape) &
    (Auth extends 'user-or-bot' ? ReturnType<typeof AS_BOT_SHAPE> : NoShape),
  z.core.$strict
>

/** A problem and the path of its argument. */
export interface ArgumentProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** A row as its family writes it: schemas and their fields are functions, which run when the schema is first asked for. */
interface EndpointInput<
  Name extends string,
  Path extends string,
  Params extends Record<PathParameters<Path>, z.ZodType>,
  Query extends z.ZodRawShape,
  Body extends z.ZodRawShape,
  Response extends z.ZodType,
  Audited extends boolean,
  Auth extends EndpointRow['auth'],
> extends Pick<EndpointRow, 'summary' | 'method' | 'requires' | 'idempotency' | 'provenance'>,
    Partial<
      Pick<
        EndpointRow,
        | 'bodyArgument'
        | 'botFor'
        | 'encoding'
        | 'upload'
        | 'csvReply'
        | 'success'
        | 'permissions'
        | 'platformErrors'
        | 'deprecated'
        | 'destructive'
        | 'returnsSecrets'
        | 'unavailable'
        | 'since'
      >
    > {
  readonly name: Name
  readonly path: Path
  readonly auth: Auth
  readonly params: () => Params
  readonly query?: () => Query
  readonly body?: () => Body
  readonly response: () => Response
  /** Default: false. */
  readonly audited?: Audited
  readonly shapeResponse?: (response: z.output<Response>, context: ResponseContext) => z.output<Response>
  /** Returns conflicts between arguments of the body. */
  readonly rules?: (body: z.output<z.ZodObject<Body>>) => readonly ArgumentProblem[]
}

/** `bot-if-stored`: the bot's token if the bridge has it, else the user's. */
export type TokenUse = 'user' | 'bot' | 'bot-if-stored'

/**
 * Which token a call with these arguments carries. `userId`: the signed-in user. The arguments decide, so a call about another user is
 * never answered with data of the signed-in one.
 */
export function selectToken(row: EndpointRow, args: Readonly<Record<string, unknown>>, userId: string | undefined): TokenUse {
  const { auth, asBotArgument, botFor } = row
  if (auth === 'bot') return 'bot'
  if (auth !== 'user-or-bot') return 'user'
  const asBot = asBotArgument === undefined ? undefined : args[asBotArgument]
  const { otherUser, guildOwner, isPreferred, isOnRequest } = botFor ?? {}
  if (asBot === true) return 'bot'
  if (isOnRequest === true) return 'user'
  if (userId === undefined) return asBot === false ? 'user' : 'bot-if-stored'
  const named = otherUser === undefined ? undefined : args[otherUser]
  // Even with as_bot false: the platform would ignore the name and return the user's own data.
  if (named !== undefined && named !== userId) return 'bot'
  if (asBot === false) return 'user'
  if (guildOwner !== undefined && args[guildOwner] !== undefined) return 'bot'
  return isPreferred === true ? 'bot-if-stored' : 'user'
}

const PARAMETER = /\{(\w+)\}/g
const MAJOR_PARAMETERS = ['channel_id', 'guild_id', 'webhook_id', 'interaction_token']

export function defineEndpoint<
  const Name extends string,
  const Path extends string,
  Params extends Record<PathParameters<Path>, z.ZodType>,
  Query extends z.ZodRawShape = Record<never, never>,
  Body extends z.ZodRawShape = Record<never, never>,
  Response extends z.ZodType = z.ZodType,
  const Audited extends boolean = false,
  const Auth extends EndpointRow['auth'] = EndpointRow['auth'],
>(
  input: EndpointInput<Name, Path, Params, Query, Body, Response, Audited, Auth>,
): EndpointRow<Name, ArgsOf<Params & Query & Body, Audited, Auth>, Response> {
  const { params, query, body, response, audited = false, shapeResponse, rules, ...row } = input
  const pathParameters = [...row.path.matchAll(PARAMETER)].map(([, name = '']) => name)
  const hasChoice = row.auth === 'user-or-bot'
  const majorParameter = MAJOR_PARAMETERS.find((name) => pathParameters.includes(name))
  const queryOnce = once(() => query?.())
  const argsOnce = once(() =>
    ruled(
      z.strictObject({
        ...params(),
        ...queryOnce(),
        ...body?.(),
        ...(audited ? AUDITED_SHAPE() : {}),
        ...(hasChoice ? AS_BOT_SHAPE() : {}),
      }),
      rules as Rules | undefined,
    ),
  )
  const responseOnce = once(response)
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
    ...(hasChoice ? { asBotArgument: AS_BOT } : {}),
    // Called only with data that has passed this row's schema.
    ...(shapeResponse === undefined ? {} : { shapeResponse: shapeResponse as NonNullable<EndpointRow['shapeResponse']> }),
    pathParameters,
    hasBody: body !== undefined,
    get queryParameters() {
      return Object.keys(queryOnce() ?? {})
    },
    get args() {
      // The compiler cannot resolve the conditional types on `audited` and `auth`.
      return argsOnce() as unknown as ArgsOf<Params & Query & Body, Audited, Auth>
    },
    get response() {
      return responseOnce()
    },
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
