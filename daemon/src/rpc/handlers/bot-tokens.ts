/** SET_BOT_TOKEN, FORGET_BOT_TOKEN, GET_BOT_TOKENS: the bot tokens that the operator stores. */
import { Secret } from '@sallyport/core/secret'
import type { Handler } from '../context.ts'
import { requireOperator } from './operator.ts'

export const setBotToken: Handler<'SET_BOT_TOKEN'> = ({ token, application_id: expected, operator_proof: proof }, context) => {
  requireOperator(proof, context)
  const { botTokens, log } = context.services
  return context.withDeadline(async (call) => {
    const { applicationId, name } = await botTokens.store(new Secret(token), expected, call)
    log.info('bot-token-stored', { application: applicationId })
    return { application_id: applicationId, name }
  })
}

export const forgetBotToken: Handler<'FORGET_BOT_TOKEN'> = ({ application_id: applicationId, operator_proof: proof }, context) => {
  requireOperator(proof, context)
  const { botTokens, log } = context.services
  return context.withDeadline(async () => {
    const forgotten = await botTokens.delete(applicationId)
    log.info('bot-token-forgotten', { application: applicationId, forgotten })
    return { forgotten }
  })
}

export const getBotTokens: Handler<'GET_BOT_TOKENS'> = (_args, context) =>
  context.withDeadline(async () => {
    const stored = await context.services.botTokens.list()
    return { bots: stored.map(({ applicationId, name }) => ({ application_id: applicationId, name })) }
  })
