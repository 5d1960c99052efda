/** Applications and authorizations. */
import * as z from 'zod'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { AccountState } from './account.ts'
import { RpcUser, User } from './user.ts'

/** An application as OAuth 2 answers show it. */
export const Application = tolerant({
  id: Snowflake,
  name: z.string(),
  icon: z.string().nullish(),
  description: z.string().nullish(),
  rpc_origins: z.array(z.string()).optional(),
}).meta({ id: 'Application', description: 'An application as authorizations show it.' })
export type Application = z.output<typeof Application>

/** What a token stands for, as GET /oauth2/@me answers. `user` needs the scope identify. */
export const AuthorizationInformation = tolerant({
  application: Application,
  scopes: z.array(z.string()),
  expires: IsoTime,
  user: User.optional(),
}).meta({ id: 'AuthorizationInformation', description: 'What a token stands for.' })
export type AuthorizationInformation = z.output<typeof AuthorizationInformation>

/** The answer of AUTHENTICATE. */
export const Authentication = tolerant({
  user: RpcUser,
  scopes: z.array(z.string()),
  expires: IsoTime,
  application: Application,
  access_token: z.string().optional(),
  account_state: AccountState.optional().meta({ description: 'Told by UPDATE_TOKEN.' }),
}).meta({ id: 'Authentication', description: 'Who the connection now speaks for.' })
export type Authentication = z.output<typeof Authentication>
