/** Identifies the application of a bot token at the platform, independent of what the game claims. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import type { BotIdentity, BotTokensDeps } from './bot-tokens.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Forwarder } from '../../platform/api/forwarder-port.ts'

/** Rejects with INVALID_TOKEN when the platform rejects it as a bot token. */
export const botIdentity =
  (forwarder: Forwarder): BotTokensDeps['identify'] =>
  async (token, { cancelSignal, deadlineAt }): Promise<BotIdentity> => {
    try {
      const row = ENDPOINTS.GET_CURRENT_APPLICATION
      const application = await forwarder.forward(row, {}, { kind: 'bot', applicationId: undefined, token }, cancelSignal, deadlineAt)
      const { id, name } = application as DataOf<'GET_CURRENT_APPLICATION'>
      return { applicationId: id, name }
    } catch (failure) {
      if (!(failure instanceof BridgeError) || failure.error !== 'INVALID_TOKEN') throw failure
      throw new BridgeError(
        'INVALID_TOKEN',
        'The platform rejects this bot token. Copy it again from the page of the application, or reset it there.',
        failure.detail,
        { cause: failure },
      )
    }
  }
