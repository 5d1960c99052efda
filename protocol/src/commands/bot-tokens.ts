/** Commands of the operator about the tokens of bots. They need a proof that only a process with access to the bridge's private folder has. */
import * as z from 'zod'
import { Snowflake, text } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const OperatorProof = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')
  .meta({ description: 'Name of an empty file in the folder `operator` of the data folder; it serves once.' })

const Bot = z.looseObject({ application_id: Snowflake, name: z.string().meta({ description: 'As the platform calls the application.' }) })

export const setBotToken = defineCommand({
  name: 'SET_BOT_TOKEN',
  summary: 'Store the token of a bot, for the application that the platform says it belongs to. For the operator of the bridge.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({
    token: text(1, 2048),
    application_id: Snowflake.optional().meta({ description: 'Refused when the token belongs to another one.' }),
    operator_proof: OperatorProof,
  }),
  data: Bot,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN'],
  provenance: 'sallyport',
})

export const forgetBotToken = defineCommand({
  name: 'FORGET_BOT_TOKEN',
  summary: 'Delete the stored token of the bot of an application. For the operator of the bridge.',
  destructive: true,
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ application_id: Snowflake, operator_proof: OperatorProof }),
  data: z.looseObject({ forgotten: z.boolean().meta({ description: 'False when there was none.' }) }),
  provenance: 'sallyport',
})

export const getBotTokens = defineCommand({
  name: 'GET_BOT_TOKENS',
  summary: 'The applications for whose bots a token is stored, never the tokens.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({}).nullish(),
  data: z.looseObject({ bots: z.array(Bot) }),
  provenance: 'sallyport',
})
