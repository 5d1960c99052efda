/** Events about the application itself: its interactions and its installation. */
import * as z from 'zod'
import { Interaction } from '../records/interaction.ts'
import { RpcUser } from '../records/user.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const interactionCreate = defineEvent({
  name: 'INTERACTION_CREATE',
  summary:
    'A user used a command, a component or a modal of the application. Respond with CREATE_INTERACTION_RESPONSE within 3 seconds; every signed-in local game of the application receives it.',
  delivery: 'subscription',
  requires: allOf('rpc.local', 'rpc.authenticated'),
  args: noArguments,
  data: Interaction,
  provenance: 'sallyport',
})

export const applicationAuthorized = defineEvent({
  name: 'APPLICATION_AUTHORIZED',
  summary: 'The user installed the application for themselves or in a guild, or granted it more scopes.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated'),
  args: noArguments,
  data: () =>
    z.looseObject({
      integration_type: z.number().int().nullish().meta({ description: '0 a guild, 1 the user' }),
      user: RpcUser(),
      scopes: z.array(z.string()),
      guild: z.looseObject({ id: Snowflake() }).nullish(),
    }),
  provenance: 'sallyport',
})
