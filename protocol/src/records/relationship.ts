/** Relationships between users. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'
import { RpcUser } from './user.ts'

export const Relationship = once(() =>
  tolerant({
    type: z.number().int().meta({ description: '0 none (removed), 1 friend, 2 blocked, 3 incoming, 4 outgoing, 5 implicit' }),
    user: RpcUser(),
    presence: tolerant({ status: z.string(), activity: z.unknown().optional() }).nullish(),
  }).meta({ id: 'Relationship', description: 'The relationship of the user with another user.' }),
)
export type Relationship = z.output<ReturnType<typeof Relationship>>
