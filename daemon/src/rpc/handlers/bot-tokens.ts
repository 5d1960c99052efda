/** SET_BOT_TOKEN, FORGET_BOT_TOKEN, GET_BOT_TOKENS: the bot tokens that the operator stores. */
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { BotTokens } from '../../auth/tokens/bot-tokens.ts'
import type { HandlerMap } from '../context.ts'
import { type OperatorDeps, requireOperator } from '../../operator/proof.ts'

export interface BotTokenDeps extends OperatorDeps {
  /** Tokens for operations that only the bot of an application may call. */
  readonly botTokens: Pick<BotTokens, 'store' | 'delete' | 'list'>
  readonly log: Logger
}

export const botTokenHandlers = ({ botTokens, log, redeemOperatorProof }: BotTokenDeps) =>
  ({
    SET_BOT_TOKEN: ({ token, application_id: expected, operator_proof: proof }, context) => {
      requireOperator(proof, redeemOperatorProof)
      return context.withDeadline(async (call) => {
        const { applicationId, name } = await botTokens.store(new Secret(token), expected, call)
        log.info('bot-token-stored', { application: applicationId })
        return { application_id: applicationId, name }
      })
    },

    FORGET_BOT_TOKEN: ({ application_id: applicationId, operator_proof: proof }, context) => {
      requireOperator(proof, redeemOperatorProof)
      return context.withDeadline(async () => {
        const forgotten = await botTokens.delete(applicationId)
        log.info('bot-token-deleted', { application: applicationId, forgotten })
        return { forgotten }
      })
    },

    GET_BOT_TOKENS: (_args, context) =>
      context.withDeadline(async () => {
        const stored = await botTokens.list()
        return { bots: stored.map(({ applicationId, name }) => ({ application_id: applicationId, name })) }
      }),
  }) satisfies Partial<HandlerMap>
