/** Relationships between users. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { RpcUser, User } from './user.ts'

export const Relationship = once(() =>
  tolerant({
    type: z.number().int().meta({ description: '0 none (removed), 1 friend, 2 blocked, 3 incoming, 4 outgoing, 5 implicit' }),
    user: RpcUser(),
    presence: tolerant({ status: z.string(), activity: z.unknown().optional() }).nullish(),
  }).meta({ id: 'Relationship', description: 'The relationship of the user with another user.' }),
)
export type Relationship = z.output<ReturnType<typeof Relationship>>

/** As the HTTP API answers it; no public document describes it. */
export const ApiRelationship = once(() =>
  tolerant({
    id: Snowflake(),
    type: z.number().int().meta({ description: '1 friend, 2 blocked, 3 incoming, 4 outgoing, 5 implicit' }),
    user: User().optional(),
    nickname: z.string().nullish(),
    is_spam_request: z.boolean().optional(),
    stranger_request: z.boolean().optional(),
    user_ignored: z.boolean().optional(),
    origin_application_id: Snowflake().nullish(),
    since: IsoTime().nullish(),
    has_played_game: z.boolean().optional(),
    note: z.string().nullish(),
  }).meta({ id: 'ApiRelationship', description: 'The relationship of the user with another user, as the HTTP API answers it.' }),
)
export type ApiRelationship = z.output<ReturnType<typeof ApiRelationship>>

/** A friend or a request in one application; no public document describes it. */
export const GameRelationship = once(() =>
  tolerant({
    id: Snowflake(),
    application_id: Snowflake(),
    type: z.number().int().meta({ description: '1 friend, 3 incoming, 4 outgoing' }),
    since: IsoTime().nullish(),
    dm_access_type: z.number().int().optional(),
    user_id: Snowflake(),
    user: User().optional(),
  }).meta({ id: 'GameRelationship', description: 'The relationship of the user with another user in one application.' }),
)
export type GameRelationship = z.output<ReturnType<typeof GameRelationship>>
