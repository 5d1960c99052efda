/** Operator commands for bot tokens. They require a proof that only a process with access to the bridge's private folder can create. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Snowflake, text } from '../schema/index.ts'
import { OperatorProof } from '../schema/operator-proof.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const Bot = once(() =>
  z.looseObject({ application_id: Snowflake(), name: z.string().meta({ description: 'Name of the application at the platform.' }) }),
)

export const setBotToken = defineCommand({
  name: 'SET_BOT_TOKEN',
  summary: 'Store a bot token for the application that it belongs to. Operator only.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      token: text(1, 2048),
      application_id: Snowflake().optional().meta({ description: 'The call fails if the token belongs to another application.' }),
      operator_proof: OperatorProof(),
    }),
  data: Bot,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN'],
  provenance: 'sallyport',
})

export const forgetBotToken = defineCommand({
  name: 'FORGET_BOT_TOKEN',
  summary: 'Delete the stored bot token of an application. Operator only.',
  destructive: true,
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ application_id: Snowflake(), operator_proof: OperatorProof() }),
  data: () => z.looseObject({ forgotten: z.boolean().meta({ description: 'false if no token was stored.' }) }),
  provenance: 'sallyport',
})

export const getBotTokens = defineCommand({
  name: 'GET_BOT_TOKENS',
  summary: 'The applications with a stored bot token; never the tokens.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({}).nullish(),
  data: () => z.looseObject({ bots: z.array(Bot()) }),
  provenance: 'sallyport',
})
