/** Asks the platform whose a bot token is: the token itself names the application, not whoever shows it. */
import { type DataOf, ENDPOINTS } from '@sallyport/protocol'
import type { BotIdentity, BotTokensParts } from './bot-tokens.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Forwarder } from '../../platform/api/upstream.ts'

/** Apart from the rate limits of every application, since it is not known yet whose they are. */
const UNKNOWN_BOT = 'unknown:bot'

/** Rejects with INVALID_TOKEN when the platform does not take it for the token of a bot. */
export const botIdentity =
  (forwarder: Forwarder): BotTokensParts['whose'] =>
  async (token, { signal, deadlineAt }): Promise<BotIdentity> => {
    try {
      const row = ENDPOINTS.GET_CURRENT_APPLICATION
      const application = await forwarder.forward(row, {}, { kind: 'bot', id: UNKNOWN_BOT, token }, signal, deadlineAt)
      const { id, name } = application as DataOf<'GET_CURRENT_APPLICATION'>
      return { applicationId: id, name }
    } catch (failure) {
      if (!(failure instanceof BridgeError) || failure.error !== 'INVALID_TOKEN') throw failure
      throw new BridgeError(
        'INVALID_TOKEN',
        'The platform does not take this for the token of a bot. Copy it anew from the page of the application, or reset it there.',
        failure.detail,
        { cause: failure },
      )
    }
  }
