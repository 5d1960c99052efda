/** Where the sandbox's gateway is, and how many sessions a bot may still begin. */
import { type Answer, reply } from '../http/exchange.ts'
import type { Platform } from '../platform.ts'
import type { Handler } from './handlers.ts'

/** Sessions that may begin within 5 seconds; nobody counts them here. */
const MAX_CONCURRENCY = 1

/** A websocket address on the port that serves everything else. */
export const gatewayUrl = (origin: string): string => `${origin.replace('http', 'ws')}/gateway`

export const getGateway =
  (platform: Platform): Answer =>
  () =>
    reply.json(200, { url: gatewayUrl(platform.origin()) })

export const getGatewayBot: Handler<'GET_GATEWAY_BOT'> = (_, { platform, caller: { applicationId } }) => {
  const { allowance, breaks } = platform.gatewayUse
  return {
    url: gatewayUrl(platform.origin()),
    shards: breaks.shardsNeeded(applicationId),
    session_start_limit: { ...allowance.of(applicationId), max_concurrency: MAX_CONCURRENCY },
  }
}
