/** The gateway's address, and the session starts left to a bot. */
import { type RouteHandler, reply } from '../http/exchange.ts'
import type { Platform } from '../platform.ts'
import type { Handler, Handlers } from './handlers.ts'

/** Session starts within 5 seconds; the sandbox does not enforce it. */
const MAX_CONCURRENCY = 1

/** The gateway's websocket URL, on the port of the HTTP server. */
export const gatewayUrl = (origin: string): string => `${origin.replace('http', 'ws')}/gateway`

export const getGateway =
  (platform: Platform): RouteHandler =>
  () =>
    reply.json(200, { url: gatewayUrl(platform.origin()) })

const getGatewayBot: Handler<'GET_GATEWAY_BOT'> = (_, { platform, caller: { applicationId } }) => {
  const { sessionStarts, faults } = platform.gatewayControls
  return {
    url: gatewayUrl(platform.origin()),
    shards: faults.requiredShards(applicationId),
    session_start_limit: { ...sessionStarts.view(applicationId), max_concurrency: MAX_CONCURRENCY },
  }
}

export const gatewayHandlers = {
  GET_GATEWAY_BOT: getGatewayBot,
} satisfies Partial<Handlers>
