/** Applications and authorizations. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { AccountState } from './account.ts'
import { RpcUser, User } from './user.ts'

/** An application as OAuth 2 responses show it. */
export const Application = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    icon: z.string().nullish(),
    description: z.string().nullish(),
    rpc_origins: z.array(z.string()).optional(),
  }).meta({ id: 'Application', description: 'An application as authorizations show it.' }),
)
export type Application = z.output<ReturnType<typeof Application>>

/** Response of GET /oauth2/@me. `user` requires the scope identify. */
export const AuthorizationInformation = once(() =>
  tolerant({
    application: Application(),
    scopes: z.array(z.string()),
    expires: IsoTime(),
    user: User().optional(),
  }).meta({ id: 'AuthorizationInformation', description: 'Application, scopes, expiry and user of a token.' }),
)
export type AuthorizationInformation = z.output<ReturnType<typeof AuthorizationInformation>>

/** Response of AUTHENTICATE. */
export const Authentication = once(() =>
  tolerant({
    user: RpcUser(),
    scopes: z.array(z.string()),
    expires: IsoTime(),
    application: Application(),
    access_token: z.string().optional(),
    account_state: AccountState().optional().meta({ description: 'Only in the response of UPDATE_TOKEN.' }),
  }).meta({ id: 'Authentication', description: 'The user and application that the connection is signed in as.' }),
)
export type Authentication = z.output<ReturnType<typeof Authentication>>

export const UserInfo = once(() =>
  tolerant({
    sub: Snowflake().meta({ description: 'The id of the user.' }),
    email: z.string().nullish(),
    email_verified: z.boolean().optional(),
    preferred_username: z.string().optional(),
    nickname: z.string().nullish(),
    picture: z.string().nullish(),
    locale: z.string().optional(),
  }).meta({ id: 'UserInfo', description: 'OpenID Connect claims of a user.' }),
)
export type UserInfo = z.output<ReturnType<typeof UserInfo>>
